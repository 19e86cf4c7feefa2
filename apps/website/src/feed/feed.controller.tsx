import { Controller, Get } from '@nestjs/common';
import { WebsiteConfig } from '../config/website.config';
import { FormResult } from '../results/form-result';
import { syndicationLinks } from '../links/syndication-links';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { FeedPage } from './feed-page';
import { Welcome } from './welcome';
import {
  type FeedQuery,
  PAGE_SIZE,
  feedPath,
  readFeedQuery,
  type Sort,
  toApiQuery,
  withSeed,
} from './feed-query';

const LABELS: Readonly<Record<Sort, string>> = {
  latest: 'Latest posts',
  rising: 'Rising posts',
  top: 'Top posts',
  random: 'Random posts',
};

@Controller()
export class FeedController {
  constructor(private readonly config: WebsiteConfig) {}

  @Get()
  async front(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    const query = readFeedQuery(visit.request);
    const seeded = withSeed(query);
    if (seeded) return new FormResult({ goTo: feedPath('/', seeded) });
    const sort = visit.request.query['sort'];
    const following = visit.hasSession && (sort === undefined || sort === 'following');
    if (following) {
      const page = await this.following(visit, query, sort !== undefined);
      if (page) return page;
    }
    const posts = await visit.api.posts.list({ ...toApiQuery(query), nsfw: visit.showsNsfw });
    const isLatest = query.sort === 'latest';
    const label = LABELS[query.sort];
    return new Page({
      title: isLatest ? null : label,
      width: 'full',
      styles: ['feed.css'],
      scripts: ['grid.js'],
      head: {
        description: this.config.tagline,
        openGraph: [
          ['og:type', 'website'],
          ['og:title', this.config.siteName],
          ['og:description', this.config.tagline],
          ['og:url', `${this.config.site}/`],
          ['og:image', `${this.config.site}/icon-512.png`],
        ],
        canonical: feedPath('/', { page: query.page }),
        links: syndicationLinks('/', 'Latest posts'),
        robots: isLatest && query.period === 'all' ? undefined : 'noindex',
      },
      body: (
        <>
          {isLatest && query.page === 1 && <Welcome />}
          <FeedPage
            posts={posts}
            query={query}
            following={visit.hasSession ? false : undefined}
            more={visit.hasSession && isLatest ? { sort: 'latest' } : {}}
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
        </>
      ),
    });
  }

  /** The posts of whom the visitor follows; null if there are none, unless the visitor asked for these. */
  private async following(visit: Visit, query: FeedQuery, asked: boolean): Promise<Page | null> {
    // Who must first set up a second factor is sent there by the page that follows.
    if ((await visit.requireViewer()).factorMissing) return null;
    const { page } = query;
    const posts = await visit.api.me.feed.list({ limit: PAGE_SIZE, page, nsfw: visit.showsNsfw });
    if (posts.meta.total === 0 && !asked) return null;
    return new Page({
      title: 'Following',
      width: 'full',
      styles: ['feed.css'],
      scripts: ['grid.js'],
      head: { robots: 'noindex' },
      body: (
        <FeedPage
          posts={posts}
          query={{ ...query, period: 'all' }}
          following
          more={{ sort: 'following' }}
          path="/"
          title="Following"
          plain
          label="Posts of the people and tags that you follow"
          empty={
            <>
              <p>Here you will see the posts of the people and tags that you follow.</p>
              <p>
                Follow people on their pages and below their posts, and <a href="/tags">tags</a> on theirs.
              </p>
              <p>
                <a class="button" href="/?sort=latest">
                  See the latest posts
                </a>
              </p>
            </>
          }
        />
      ),
    });
  }
}
