import { Controller, Get } from '@nestjs/common';
import { FormResult } from '../results/form-result';
import { syndicationLinks } from '../links/syndication-links';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { FeedPage } from './feed-page';
import { feedPath, readFeedQuery, type Sort, toApiQuery, withSeed } from './feed-query';

const LABELS: Readonly<Record<Sort, string>> = {
  latest: 'Latest posts',
  top: 'Top posts',
  random: 'Random posts',
};

@Controller()
export class FeedController {
  @Get()
  async front(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const query = readFeedQuery(visit.request);
    const seeded = withSeed(query);
    if (seeded) return new FormResult({ goTo: feedPath('/', seeded) });
    const posts = await visit.api.posts.list({ ...toApiQuery(query), nsfw: visit.showsNsfw });
    const isLatest = query.sort === 'latest';
    const label = LABELS[query.sort];
    return new Page({
      title: isLatest ? null : label,
      width: 'full',
      styles: ['feed.css'],
      scripts: ['grid.js'],
      head: {
        description: 'Pictures, animations and videos that people have shared.',
        canonical: feedPath('/', { page: query.page }),
        links: syndicationLinks('/', 'Latest posts'),
        robots: isLatest && query.period === 'all' ? undefined : 'noindex',
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
