import { Controller, Get } from '@nestjs/common';
import { MAX_TAG_LENGTH } from '@vitrine/contracts';
import { readFeedQuery, toApiQuery } from '../feed/feed-query';
import { Page } from '../results/page';
import { MAX_SEARCH_LENGTH } from '../links/search-length';
import { CurrentVisit } from '../visits/current-visit';
import { queryText } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { SearchPage, type Results } from './search-page';

const SUGGESTED_TAGS = 8;

@Controller('search')
export class SearchController {
  @Get()
  async search(@CurrentVisit() visit: Visit): Promise<Page> {
    const words = queryText(visit.request, 'q').trim().slice(0, MAX_SEARCH_LENGTH);
    const kind = queryText(visit.request, 'type') === 'media' ? 'media' : 'posts';
    const read = readFeedQuery(visit.request);
    const query = { ...read, sort: read.sort === 'top' ? read.sort : ('latest' as const) };
    const asked = { ...toApiQuery(query), q: words, nsfw: visit.showsNsfw };
    const find = async (): Promise<Results> =>
      kind === 'posts'
        ? { kind, ...(await visit.api.posts.list(asked)) }
        : { kind, ...(await visit.api.media.list(asked)) };
    const beginning = words.replace(/^#/, '').slice(0, MAX_TAG_LENGTH);
    const [results, tags] = await Promise.all([
      words === '' ? null : find(),
      // Only the first page shows tags.
      query.page > 1
        ? null
        : visit.api.tags.list({
            limit: SUGGESTED_TAGS,
            nsfw: visit.showsNsfw,
            ...(beginning !== '' && { q: beginning }),
          }),
    ]);
    return new Page({
      title: words === '' ? 'Search' : `Search for “${words}”`,
      width: 'full',
      search: words,
      styles: ['feed.css'],
      scripts: ['grid.js'],
      head: { robots: 'noindex' },
      body: <SearchPage words={words} kind={kind} query={query} results={results} tags={tags?.data ?? []} />,
    });
  }
}
