import type { AnswerOf, ListedPost, Tag } from '@vitrine/client';
import type { JSX } from 'preact';
import { pluralize } from '../components/words';
import { MediaGrid } from '../components/media-grid';
import { Pager } from '../components/pager';
import { PersonRow } from '../components/person-row';
import { PostGrid } from '../components/post-grid';
import { FeedControls } from '../feed/feed-controls';
import { feedPath, type FeedQuery } from '../feed/feed-query';
import { feedMark } from '../links/feed-mark';
import { tagPath } from '../links/paths';

/** What is searched, in the order of the tabs. */
export const RESULT_KINDS = ['posts', 'media', 'people', 'tags'] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

/** One page of results. */
export type Results =
  | ({ readonly kind: 'posts' } & AnswerOf<'listPosts'>)
  | ({ readonly kind: 'media' } & AnswerOf<'listMedia'>)
  | ({ readonly kind: 'people' } & AnswerOf<'searchUsers'>)
  | ({ readonly kind: 'tags' } & AnswerOf<'listTags'>);

const NAMES: Readonly<Record<ResultKind, string>> = {
  posts: 'Posts',
  media: 'Media',
  people: 'People',
  tags: 'Tags',
};

/** Query parameters of a search. */
const searchParameters = (kind: ResultKind, words: string): Readonly<Record<string, string>> => ({
  q: words,
  ...(kind !== 'posts' && { type: kind }),
});

/** Path of a search. */
export const searchPath = (kind: ResultKind, words: string, query: Partial<FeedQuery> = {}): string =>
  feedPath('/search', query, searchParameters(kind, words));

type Person = AnswerOf<'searchUsers'>['data'][number];

interface SearchPageProps {
  readonly words: string;
  readonly kind: ResultKind;
  readonly query: FeedQuery;
  /** Null if nothing was searched for. */
  readonly results: Results | null;
  /** Posts with similar words, if there are few results. */
  readonly similar: readonly ListedPost[];
  /** People with similar names, if there are few posts. */
  readonly people: readonly Person[];
  /** Tags that begin with the search text; the most used tags if there is none. */
  readonly tags: readonly Tag[];
}

/** The results, of one kind, and matching tags. */
export function SearchPage({
  words,
  kind,
  query,
  results,
  similar,
  people,
  tags,
}: SearchPageProps): JSX.Element {
  const isOfItems = kind === 'posts' || kind === 'media';
  const mark = feedMark({ ...query, q: words });
  return (
    <>
      <div class="feed-head">
        <h1>{words === '' ? 'Search' : `“${words}”`}</h1>
        {results && <p class="feed-count">{countOf(results)}</p>}
      </div>
      {tags.length > 0 && <TagChips tags={tags} label={words === '' ? 'Popular tags' : 'Matching tags'} />}
      {results ? (
        <>
          <div class="feed-head">
            <nav class="segments" aria-label="Type of results">
              {RESULT_KINDS.map((choice) => (
                <a href={searchPath(choice, words)} aria-current={choice === kind ? 'page' : undefined}>
                  {NAMES[choice]}
                </a>
              ))}
            </nav>
            {isOfItems && (
              <FeedControls
                path="/search"
                query={query}
                more={searchParameters(kind, words)}
                sorts={['latest', 'top']}
              />
            )}
          </div>
          <Found results={results} words={words} mark={mark} hasMore={similar.length + people.length > 0} />
          <Pager meta={results.meta} links={results.links} path={searchPath(kind, words, query)} />
          {people.length > 0 && (
            <section aria-labelledby="people">
              <h2 id="people">People</h2>
              <PeopleList people={people} />
            </section>
          )}
          {similar.length > 0 && (
            <section aria-labelledby="similar">
              <h2 id="similar">Similar posts</h2>
              <PostGrid posts={similar} label={`Posts similar to “${words}”`} mark={mark} eager={false} />
            </section>
          )}
        </>
      ) : (
        <p class="empty">
          Enter words from a title, a description or a tag, or a name, in the search field above.
        </p>
      )}
    </>
  );
}

const countOf = ({ kind, meta }: Results): string =>
  ({
    posts: pluralize(meta.total, 'post'),
    media: pluralize(meta.total, 'file'),
    people: meta.total === 1 ? '1 person' : `${meta.total} people`,
    tags: pluralize(meta.total, 'tag'),
  })[kind];

function TagChips({ tags, label }: { readonly tags: readonly Tag[]; readonly label: string }): JSX.Element {
  return (
    <nav class="tag-row" aria-label={label}>
      {tags.map((tag) => (
        <a class="chip" href={tagPath(tag.name)}>
          <span class="quiet">#</span>
          {tag.name}
        </a>
      ))}
    </nav>
  );
}

const PeopleList = ({ people }: Pick<SearchPageProps, 'people'>): JSX.Element => (
  <ul class="plain-list profile-list">
    {people.map((person) => (
      <PersonRow person={person} />
    ))}
  </ul>
);

interface FoundProps {
  readonly results: Results;
  readonly words: string;
  readonly mark: string;
  readonly hasMore: boolean;
}

function Found({ results, words, mark, hasMore }: FoundProps): JSX.Element {
  if (results.data.length === 0) {
    return <Nothing results={results} words={words} hasMore={hasMore} />;
  }
  switch (results.kind) {
    case 'posts':
      return <PostGrid posts={results.data} label={`Posts with “${words}”`} mark={mark} />;
    case 'media':
      return <MediaGrid media={results.data} label={`Media with “${words}”`} />;
    case 'people':
      return <PeopleList people={results.data} />;
    case 'tags':
      return <TagChips tags={results.data} label={`Tags like “${words}”`} />;
  }
}

/** Explains that nothing was found, and where else to look. */
function Nothing({ results: { kind, meta }, words, hasMore }: Omit<FoundProps, 'mark'>): JSX.Element {
  if (meta.total > 0) {
    return (
      <p class="empty">
        There are no more pages. <a href={searchPath(kind, words)}>Go to the first page</a>
      </p>
    );
  }
  const others = RESULT_KINDS.filter((choice) => choice !== kind && choice !== 'media');
  return (
    <div class={hasMore ? 'quiet' : 'empty'}>
      <p>
        {hasMore
          ? 'No results with exactly these words.'
          : kind === 'posts' || kind === 'media'
            ? 'No results. Every word must occur in a title, a description or a tag. Try fewer words.'
            : 'No results. Try a shorter part of the name.'}
      </p>
      {!hasMore && (
        <p class="row">
          {others.map((choice) => (
            <a class="button" href={searchPath(choice, words)}>
              Search {NAMES[choice].toLowerCase()}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
