import { Controller, Get } from '@nestjs/common';
import { VitrineError } from '@vitrine/client';
import { MAX_TAG_LENGTH } from '@vitrine/contracts';
import { type FeedQuery, readFeedQuery, toApiQuery } from '../feed/feed-query';
import { tagPath } from '../links/paths';
import { MAX_SEARCH_LENGTH } from '../links/search-length';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { queryText } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { RESULT_KINDS, type ResultKind, type Results, SearchPage, searchPath } from './search-page';

const SUGGESTED_TAGS = 8;
/** Fewer results than this are followed by similar ones. */
const FEW = 10;
const SIMILAR = 30;
/** Characters for which the API searches people and makes suggestions. */
const MAX_NAME = 100;

@Controller('search')
export class SearchController {
  @Get()
  async search(@CurrentVisit() visit: Visit): Promise<Page> {
    const words = cut(queryText(visit.request, 'q').trim(), MAX_SEARCH_LENGTH);
    const type = queryText(visit.request, 'type');
    const kind = RESULT_KINDS.find((known) => known === type) ?? 'posts';
    const read = readFeedQuery(visit.request);
    const query = { ...read, sort: read.sort === 'top' ? read.sort : ('latest' as const) };
    const beginning = words.replace(/^#/, '').slice(0, MAX_TAG_LENGTH);
    const [results, tags] = await Promise.all([
      words === '' ? null : find(visit, kind, words, query),
      // Only the first page shows tags.
      query.page > 1 || kind === 'tags'
        ? null
        : visit.api.tags.list({
            limit: SUGGESTED_TAGS,
            nsfw: visit.showsNsfw,
            ...(beginning !== '' && { q: beginning }),
          }),
    ]);
    const isFew = results?.kind === 'posts' && results.meta.total < FEW && query.page === 1;
    const [similar, people] = isFew
      ? await Promise.all([
          visit.api.posts.list({ q: words, similar: true, limit: SIMILAR, nsfw: visit.showsNsfw }),
          visit.api.users.search(cut(words, MAX_NAME)).list({ limit: 3, page: 1 }),
        ])
      : [];
    return new Page({
      title: words === '' ? 'Search' : `Search for “${words}”`,
      width: 'full',
      search: words,
      styles: ['feed.css', 'profile.css'],
      scripts: ['grid.js'],
      head: { robots: 'noindex' },
      body: (
        <SearchPage
          words={words}
          kind={kind}
          query={query}
          results={results}
          similar={similar?.data ?? []}
          people={people?.data ?? []}
          tags={tags?.data ?? []}
        />
      ),
    });
  }

  /** For the script of the search field: none if the API can't make any. */
  @Get('suggestions')
  async suggest(
    @CurrentVisit() visit: Visit,
  ): Promise<{ readonly suggestions: readonly { readonly text: string; readonly href: string }[] }> {
    const text = cut(queryText(visit.request, 'q').trim(), MAX_NAME);
    if (text === '') return { suggestions: [] };
    try {
      const { users, tags, titles } = await visit.api.suggest(text);
      const suggestions = [
        ...tags.map(({ name }) => ({ text: `#${name}`, href: tagPath(name) })),
        ...users.map(({ username }) => ({ text: `@${username}`, href: `/u/${username}` })),
        ...titles.map((title) => ({ text: title, href: searchPath('posts', title) })),
      ];
      return { suggestions };
    } catch (error) {
      if (error instanceof VitrineError) return { suggestions: [] };
      throw error;
    }
  }
}

async function find(visit: Visit, kind: ResultKind, words: string, query: FeedQuery): Promise<Results> {
  const { api, showsNsfw: nsfw } = visit;
  const asked = { ...toApiQuery(query), q: words, nsfw };
  const { limit, page } = asked;
  switch (kind) {
    case 'posts':
      return { kind, ...(await api.posts.list(asked)) };
    case 'media':
      return { kind, ...(await api.media.list(asked)) };
    case 'people':
      return { kind, ...(await api.users.search(cut(words, MAX_NAME)).list({ limit, page })) };
    case 'tags': {
      const q = cut(words.replace(/^#/, ''), MAX_TAG_LENGTH);
      return { kind, ...(await api.tags.list({ q, similar: true, limit, page, nsfw })) };
    }
  }
}

/** The beginning of a text, without half a character. */
const cut = (text: string, length: number): string => [...text].slice(0, length).join('');
