import { Controller, Get, Param, Query } from '@nestjs/common';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { moderationPage } from './moderation-frame';
import { SubjectPage } from './subject-page';

const DECISIONS_SHOWN = 20;

/** The page for a decision on a media item or a post, also if it isn't in the queue. `ban=1` asks to confirm a ban. */
@Controller('moderation')
export class SubjectController {
  @Get('media/:slug')
  async media(
    @CurrentVisit() visit: Visit,
    @Param('slug') slug: string,
    @Query('ban') ban: unknown,
  ): Promise<Page> {
    await visit.requireViewer();
    const [decisions, media] = await Promise.all([
      visit.api.moderation.decisions.list({ type: 'media', slug, limit: DECISIONS_SHOWN }),
      visit.api.media.get(slug),
    ]);
    return moderationPage({
      title: `Media ${slug}`,
      path: '/moderation',
      body: (
        <SubjectPage
          subject={{ type: 'media', target: slug }}
          title={media.title}
          status={media.moderation_status}
          media={[media]}
          decisions={decisions.data}
          asksBan={ban === '1'}
        />
      ),
    });
  }

  @Get('post/:slug')
  async post(
    @CurrentVisit() visit: Visit,
    @Param('slug') slug: string,
    @Query('ban') ban: unknown,
  ): Promise<Page> {
    await visit.requireViewer();
    const [decisions, post] = await Promise.all([
      visit.api.moderation.decisions.list({ type: 'post', slug, limit: DECISIONS_SHOWN }),
      visit.api.posts.get(slug, { perPage: MAX_POST_MEDIA }),
    ]);
    return moderationPage({
      title: `Post ${slug}`,
      path: '/moderation',
      body: (
        <SubjectPage
          subject={{ type: 'post', target: slug }}
          revision={post.revision}
          title={post.title}
          status={post.moderation_status}
          media={post.media}
          decisions={decisions.data}
          asksBan={ban === '1'}
        />
      ),
    });
  }
}
