import type { Tag } from '@vitrine/client';
import type { JSX } from 'preact';
import { counted } from '../components/counted';
import { MediaGrid } from '../components/media-grid';
import { Pager } from '../components/pager';
import { PostGrid } from '../components/post-grid';
import { PeriodMenu } from '../feed/feed-controls';
import { feedPath, type FeedQuery } from '../feed/feed-query';
import { tagPath } from '../tags/tag-path';
import { type ResultKind, type Results, searchParameters } from './search-results';

interface SearchPageProps {
  readonly words: string;
  readonly kind: ResultKind;
  readonly query: FeedQuery;
  /** Null where nothing was searched for. */
  readonly results: Results | null;
  /** Those whose names begin with what was searched for; the most used where nothing was. */
  readonly tags: readonly Tag[];
}

/** What was found, posts or media, and tags that fit. */
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
            <nav class="segments" aria-label="What to find">
              {(['posts', 'media'] as const).map((choice) => (
                <a
                  href={feedPath('/search', { period: query.period }, searchParameters(choice, words))}
                  aria-current={choice === kind ? 'page' : undefined}
                >
                  {choice === 'posts' ? 'Posts' : 'Media'}
                </a>
              ))}
            </nav>
            <PeriodMenu path="/search" query={query} more={more} />
          </div>
          <Found results={results} words={words} />
          <Pager meta={results.meta} links={results.links} path={feedPath('/search', query, more)} />
        </>
      ) : (
        <p class="empty">Type words from a title, a description or a tag into the field above.</p>
      )}
    </>
  );
}

const countOf = ({ kind, meta }: Results): string =>
  kind === 'posts' ? counted(meta.total, 'post') : counted(meta.total, 'file');

function FittingTags({
  tags,
  popular,
}: {
  readonly tags: readonly Tag[];
  readonly popular: boolean;
}): JSX.Element {
  return (
    <nav class="tag-row" aria-label={popular ? 'Tags that are much used' : 'Tags that fit'}>
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
          <p>There are not that many pages.</p>
        ) : (
          <p>
            Nothing was found. All words have to occur in a title, a description or a tag; try fewer of them.
          </p>
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
