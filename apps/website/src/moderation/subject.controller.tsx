import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { moderationPage } from './moderation-frame';
import { SubjectPage } from './subject-page';

/** A page of a post's media, as large as the API gives them. */
const ALL_MEDIA = 50;
const DECISIONS_SHOWN = 20;

/** One media or post to decide on, whether it waits in the queue or not. `ban=1` asks before a ban. */
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
      visit.api.posts.get(slug, { perPage: ALL_MEDIA }),
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
