import type { AnswerOf, Tag } from '@vitrine/client';
import type { JSX } from 'preact';
import { pluralize } from '../components/words';
import { MediaGrid } from '../components/media-grid';
import { Pager } from '../components/pager';
import { PostGrid } from '../components/post-grid';
import { FeedControls } from '../feed/feed-controls';
import { feedPath, type FeedQuery } from '../feed/feed-query';
import { tagPath } from '../links/paths';

export type ResultKind = 'posts' | 'media';

/** One page of results. */
export type Results =
  ({ readonly kind: 'posts' } & AnswerOf<'listPosts'>) | ({ readonly kind: 'media' } & AnswerOf<'listMedia'>);

/** Query parameters of a search. */
export const searchParameters = (kind: ResultKind, words: string): Readonly<Record<string, string>> => ({
  q: words,
  ...(kind === 'media' && { type: kind }),
});

interface SearchPageProps {
  readonly words: string;
  readonly kind: ResultKind;
  readonly query: FeedQuery;
  /** Null if nothing was searched for. */
  readonly results: Results | null;
  /** Tags that begin with the search text; the most used tags if there is none. */
  readonly tags: readonly Tag[];
}

/** The results, posts or media, and matching tags. */
export function SearchPage({ words, kind, query, results, tags }: SearchPageProps): JSX.Element {
  const more = searchParameters(kind, words);
  return (
    <>
      <div class="feed-head">
        <h1>{words === '' ? 'Search' : `“${words}”`}</h1>
        {results && <p class="feed-count">{countOf(results)}</p>}
      </div>
      {tags.length > 0 && <FittingTags tags={tags} popular={words === ''} />}
      {results ? (
        <>
          <div class="feed-head">
            <nav class="segments" aria-label="Type of results">
              {(['posts', 'media'] as const).map((choice) => (
                <a
                  href={feedPath(
                    '/search',
                    { period: query.period, sort: query.sort },
                    searchParameters(choice, words),
                  )}
                  aria-current={choice === kind ? 'page' : undefined}
                >
                  {choice === 'posts' ? 'Posts' : 'Media'}
                </a>
              ))}
            </nav>
            <FeedControls path="/search" query={query} more={more} sorts={['latest', 'top']} />
          </div>
          <Found results={results} words={words} />
          <Pager meta={results.meta} links={results.links} path={feedPath('/search', query, more)} />
        </>
      ) : (
        <p class="empty">Enter words from a title, a description or a tag in the search field above.</p>
      )}
    </>
  );
}

const countOf = ({ kind, meta }: Results): string =>
  kind === 'posts' ? pluralize(meta.total, 'post') : pluralize(meta.total, 'file');

function FittingTags({
  tags,
  popular,
}: {
  readonly tags: readonly Tag[];
  readonly popular: boolean;
}): JSX.Element {
  return (
    <nav class="tag-row" aria-label={popular ? 'Popular tags' : 'Matching tags'}>
      {tags.map((tag) => (
        <a class="chip" href={tagPath(tag.name)}>
          <span class="quiet">#</span>
          {tag.name}
        </a>
      ))}
    </nav>
  );
}

function Found({ results, words }: { readonly results: Results; readonly words: string }): JSX.Element {
  if (results.data.length === 0) {
    return (
      <div class="empty">
        {results.meta.total > 0 ? (
          <p>There are no more pages.</p>
        ) : (
          <p>No results. Every word must occur in a title, a description or a tag. Try fewer words.</p>
        )}
      </div>
    );
  }
  return results.kind === 'posts' ? (
    <PostGrid posts={results.data} label={`Posts with “${words}”`} />
  ) : (
    <MediaGrid media={results.data} label={`Media with “${words}”`} />
  );
}
