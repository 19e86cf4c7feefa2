import { Controller, Get } from '@nestjs/common';
import { DECISION_SUBJECTS, type DecisionSubject } from '@vitrine/contracts';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { queryPage, queryText } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { DecisionsPage } from './decisions-page';
import { moderationPage } from './moderation-frame';

const LOG_PAGE = 50;

/** The log of decisions. */
@Controller('moderation')
export class DecisionsController {
  @Get('decisions')
  async log(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const type = DECISION_SUBJECTS.find((subject) => subject === queryText(visit.request, 'type'));
    const slug = queryText(visit.request, 'slug').trim().slice(0, 100);
    const page = queryPage(visit.request);
    const log = await visit.api.moderation.decisions.list({
      limit: LOG_PAGE,
      page,
      ...filterOf(type, slug),
    });
    const slugs = log.data.filter((entry) => entry.type === 'media').map((entry) => entry.slug);
    const media =
      slugs.length === 0 ? [] : (await visit.api.media.list({ slugs: [...new Set(slugs)].join() })).data;
    return moderationPage({
      title: 'Decisions',
      path: '/moderation/decisions',
      body: <DecisionsPage log={log} media={media} type={type} slug={slug} path={visit.path} />,
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
