import { Controller, Get, Query } from '@nestjs/common';
import { DECISION_SUBJECTS, type DecisionSubject } from '@vitrine/contracts';
import type { Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { DecisionsPage } from './decisions-page';
import { moderationPage } from './moderation-frame';

const LOG_PAGE = 50;
const MAX_PAGE = 100_000;

/** The log of decisions. */
@Controller('moderation')
export class DecisionsController {
  @Get('decisions')
  async log(@CurrentVisit() visit: Visit, @Query() query: Record<string, unknown>): Promise<Page> {
    await visit.requireViewer();
    const type = DECISION_SUBJECTS.find((subject) => subject === query['type']);
    const slug = typeof query['slug'] === 'string' ? query['slug'].trim().slice(0, 100) : '';
    const page = Math.min(MAX_PAGE, Math.max(1, Number.parseInt(String(query['page']), 10) || 1));
    const log = await visit.api.moderation.decisions.list({
      limit: LOG_PAGE,
      page,
      ...filterOf(type, slug),
    });
    return moderationPage({
      title: 'Decisions',
      path: '/moderation/decisions',
      body: <DecisionsPage log={log} type={type} slug={slug} path={visit.path} />,
    });
  }
}

const filterOf = (
  type: DecisionSubject | undefined,
  slug: string,
): { type?: DecisionSubject; slug?: string } => ({
  ...(type !== undefined && { type }),
  ...(slug !== '' && { slug }),
});
