import { Controller, Get, Param, Post } from '@nestjs/common';
import { APPLICATION_DECISIONS } from '@vitrine/contracts';
import { invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { ApplicationsPage } from './applications-page';
import { moderationPage } from './moderation-frame';

const PATH = '/moderation/applications';
const APPLICATIONS_PAGE = 50;

/** Applications for accounts. */
@Controller('moderation/applications')
export class ApplicationsController {
  @Get()
  async list(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const page = queryPage(visit.request);
    const applications = await visit.api.moderation.applications.list({ page, limit: APPLICATIONS_PAGE });
    return moderationPage({
      title: 'Applications',
      path: PATH,
      body: <ApplicationsPage applications={applications} path={PATH} />,
    });
  }

  @Post(':username')
  async decide(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    const decision = APPLICATION_DECISIONS.find((known) => known === fieldText(visit, 'decision'));
    if (decision === undefined) throw invalidFormError({ decision: ['Unknown decision.'] });
    // Another moderator may have been faster.
    await ignoreNotFound(
      visit.api.moderation.decideApplication(
        username,
        { decision },
        { idempotencyKey: visit.idempotencyKey },
      ),
    );
    const done = decision === 'accept' ? 'accepted' : 'declined';
    return new FormResult({ goTo: PATH, notice: `The application of ${username} was ${done}.` });
  }
}
