import type { QueryOf } from '@vitrine/client';

type Query = QueryOf<'getPostNeighbours'>;

/** The feed, the search or the collection from which a post was opened. A random order has no neighbours, so it isn't marked. */
type MarkedFeed = Omit<Query, 'sort'> & { readonly sort?: Query['sort'] | 'random' };

const KINDS = { t: 'tag', u: 'username', q: 'q', c: 'collection' } as const;
const MARK = /^(?:(rising|top|followed)(?:-(day|week|month|year))?)?,?(?:([tuqc]):(.{1,200}))?$/su;

/** The value of `?in=` on links to posts, such as `top-week` or `rising,t:cats`; empty for the latest posts. */
export const feedMark = ({ sort = 'latest', period = 'all', ...names }: MarkedFeed): string =>
  [
    sort === 'latest' || sort === 'random' ? '' : sort === 'top' && period !== 'all' ? `top-${period}` : sort,
    ...Object.entries(KINDS).map(([kind, name]) =>
      names[name] === undefined ? '' : `${kind}:${names[name]}`,
    ),
  ]
    .filter((part) => part !== '')
    .join(',');

/** Reads such a value; anything else is the feed of the latest posts. */
export function readFeedMark(mark: unknown): Query {
  const [, sort, period, kind, name] = (typeof mark === 'string' && MARK.exec(mark)) || [];
  return {
    ...(sort !== undefined && { sort: sort as NonNullable<Query['sort']> }),
    ...(period !== undefined && { period: period as NonNullable<Query['period']> }),
    ...(kind !== undefined && { [KINDS[kind as keyof typeof KINDS]]: name }),
  };
}
