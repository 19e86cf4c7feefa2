import { Controller, Get, Param } from '@nestjs/common';
import { VitrineError } from '@vitrine/client';
import { MAX_TAG_LENGTH } from '@vitrine/contracts';
import { FollowButton } from '../components/follow-button';
import { FeedPage } from '../feed/feed-page';
import { feedPath, readFeedQuery, toApiQuery, withSeed } from '../feed/feed-query';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { queryPage, queryText } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { syndicationLinks } from '../links/syndication-links';
import { tagPath } from '../links/paths';
import { TagsPage } from './tags-page';

const TAGS_ON_A_PAGE = 100;

@Controller()
export class TagsController {
  @Get('tags')
  async tags(@CurrentVisit() visit: Visit): Promise<Page> {
    const beginning = queryText(visit.request, 'q').trim().slice(0, MAX_TAG_LENGTH);
    const page = queryPage(visit.request);
    const tags = await visit.api.tags.list({
      limit: TAGS_ON_A_PAGE,
      page,
      nsfw: visit.showsNsfw,
      ...(beginning !== '' && { q: beginning }),
    });
    return new Page({
      title: 'Tags',
      width: 'wide',
      styles: ['feed.css'],
      head: {
        description: 'The tags in use, the most used first.',
        canonical: feedPath('/tags', { page }),
        robots: beginning === '' ? undefined : 'noindex',
      },
      body: <TagsPage tags={tags} beginning={beginning} page={page} />,
    });
  }

  @Get('t/:tag')
  async tag(@CurrentVisit() visit: Visit, @Param('tag') tag: string): Promise<Page | FormResult> {
    const query = readFeedQuery(visit.request);
    const path = tagPath(tag.toLowerCase());
    const seeded = withSeed(query);
    if (seeded) return new FormResult({ goTo: feedPath(path, seeded) });
    const [posts, followed] = await Promise.all([
      visit.api.posts.list({ ...toApiQuery(query), tag, nsfw: visit.showsNsfw }),
      visit.hasSession ? isFollowed(visit, tag) : false,
    ]);
    const name = tag.toLowerCase();
    const isEmpty = posts.meta.total === 0;
    return new Page({
      title: `#${name}`,
      status: isEmpty && query.period === 'all' ? 404 : 200,
      width: 'full',
      styles: ['feed.css'],
      scripts: ['grid.js', 'profile.js'],
      head: {
        description: `Posts tagged “${name}”.`,
        canonical: feedPath(path, { page: query.page }),
        links: isEmpty ? [] : syndicationLinks(path, `#${name}`),
        robots: isEmpty || query.sort !== 'latest' || query.period !== 'all' ? 'noindex' : undefined,
      },
      body: (
        <FeedPage
          posts={posts}
          query={query}
          path={path}
          title={
            <>
              <span class="quiet">#</span>
              {name}
            </>
          }
          action={
            isEmpty && !followed ? undefined : <FollowButton whom={{ tag: name }} following={followed} />
          }
          tag={name}
          label={`Posts tagged ${name}`}
          empty={
            <p>
              No posts are tagged “{name}”. <a href="/tags">See all tags</a>
            </p>
          }
        />
      ),
    });
  }
}

/** Whether the visitor follows a tag; false for an unknown one. */
async function isFollowed(visit: Visit, tag: string): Promise<boolean> {
  try {
    return (await visit.api.tags.get(tag)).isFollowedByUser;
  } catch (error) {
    if (error instanceof VitrineError && error.status === 404) return false;
    throw error;
  }
}
