import { Controller, Get } from '@nestjs/common';
import { FormResult } from '../results/form-result';
import { syndicationLinks } from '../links/syndication-links';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { FeedPage } from './feed-page';
import { feedPath, readFeedQuery, toApiQuery, withSeed } from './feed-query';

@Controller()
export class FeedController {
  @Get()
  async front(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const query = readFeedQuery(visit.request);
    const seeded = withSeed(query);
    if (seeded) return new FormResult({ goTo: feedPath('/', seeded) });
    const posts = await visit.api.posts.list({ ...toApiQuery(query), nsfw: visit.showsNsfw });
    const isRandom = query.sort === 'random';
    const label = isRandom ? 'Random posts' : 'Latest posts';
    return new Page({
      title: isRandom ? label : null,
      width: 'full',
      styles: ['feed.css'],
      scripts: ['grid.js'],
      head: {
        description: 'Pictures, animations and videos that people have shared.',
        canonical: feedPath('/', { page: query.page }),
        links: syndicationLinks('/', 'Latest posts'),
        robots: isRandom || query.period !== 'all' ? 'noindex' : undefined,
      },
      body: (
        <FeedPage
          posts={posts}
          query={query}
          path="/"
          title={label}
          plain
          label={label}
          empty={
            <>
              <p>Nothing has been posted yet.</p>
              <p>
                <a class="button primary" href="/upload">
                  Upload the first picture
                </a>
              </p>
            </>
          }
        />
      ),
    });
  }
}
