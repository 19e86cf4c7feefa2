import { Controller, Get, Param } from '@nestjs/common';
import { FeedPage } from '../feed/feed-page';
import { feedPath, readFeedQuery, toApiQuery, withSeed } from '../feed/feed-query';
import { Outcome, Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { queryPage, queryText } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { tagPath } from './tag-path';
import { TagsPage } from './tags-page';

const TAGS_ON_A_PAGE = 100;
/** The longest beginning of a name that the API takes. */
const LONGEST_TAG = 50;

@Controller()
export class TagsController {
  @Get('tags')
  async tags(@CurrentVisit() visit: Visit): Promise<Page> {
    const beginning = queryText(visit.request, 'q').trim().slice(0, LONGEST_TAG);
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
  async tag(@CurrentVisit() visit: Visit, @Param('tag') tag: string): Promise<Page | Outcome> {
    const query = readFeedQuery(visit.request);
    const path = tagPath(tag.toLowerCase());
    const seeded = withSeed(query);
    if (seeded) return new Outcome({ goTo: feedPath(path, seeded) });
    const posts = await visit.api.posts.list({ ...toApiQuery(query), tag, nsfw: visit.showsNsfw });
    const name = tag.toLowerCase();
    const isEmpty = posts.meta.total === 0;
    return new Page({
      title: `#${name}`,
      status: isEmpty && query.period === 'all' ? 404 : 200,
      width: 'full',
      styles: ['feed.css'],
      scripts: ['grid.js'],
      head: {
        description: `Posts that are tagged “${name}”.`,
        canonical: feedPath(path, { page: query.page }),
        robots: isEmpty || query.sort === 'random' || query.period !== 'all' ? 'noindex' : undefined,
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
          label={`Posts tagged ${name}`}
          empty={
            <p>
              No post is tagged “{name}”. <a href="/tags">See the tags that are in use</a>
            </p>
          }
        />
      ),
    });
  }
}
