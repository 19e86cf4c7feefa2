import { SEEDED } from '../seed/seed-sql';

/** One kind of page that must cost the same at any size. */
export interface FeedCase {
  readonly what: string;
  readonly items: 'posts' | 'media';
  /** Path below the API's base address, for a round of the measurement and a feed with this number of items. */
  path(round: number, total: number): string;
  /** The case with the same items in the order of time, with which this order is compared. */
  readonly latest?: string;
  /** Counts what `meta.total` must be, item by item. */
  readonly count: string;
}

const LIMIT = 10;

/** The page with this number, or the last page if there are fewer. */
const page = (number: number, total: number): number =>
  Math.min(number, Math.max(1, Math.ceil(total / LIMIT)));

/** The cases of the list of posts or of media. */
export function feedCases(items: 'posts' | 'media'): readonly FeedCase[] {
  const item = items === 'posts' ? 'post' : 'media';
  const all = `select count(*) from ${items} where listing = 'safe'`;
  const ofUser = (name: string): string =>
    `${all} and user_id = (select id from users where username = '${name}')`;
  const ofTag = (name: string): string =>
    `select count(*) from ${item}_tags where listing = 'safe' and tag_id = (select id from tags where name = '${name}')`;
  const one = (what: string, query: string, count: string): FeedCase => ({
    what: `${items}: ${what}`,
    items,
    path: () => `/${items}?${query}`,
    count,
  });
  return [
    one('first page', '', all),
    { ...one('page 1,000', '', all), path: (_, total) => `/${items}?page=${page(1000, total)}` },
    { ...one('last page', '', all), path: (_, total) => `/${items}?page=${page(Infinity, total)}` },
    { ...one('random, page 1', '', all), path: (round) => `/${items}?sort=random&seed=${round}` },
    { ...one('random, page 50', '', all), path: (round) => `/${items}?sort=random&seed=${round}&page=50` },
    { ...one('top', 'sort=top', all), latest: `${items}: first page` },
    {
      ...one('top, page 1,000', 'sort=top', all),
      latest: `${items}: page 1,000`,
      path: (_, total) => `/${items}?sort=top&page=${page(1000, total)}`,
    },
    {
      ...one('top, last page', 'sort=top', all),
      latest: `${items}: last page`,
      path: (_, total) => `/${items}?sort=top&page=${page(Infinity, total)}`,
    },
    {
      ...one('top of a week', 'sort=top&period=week', `${all} and created_at >= now() - interval '7 days'`),
      latest: `${items}: period=week`,
    },
    {
      ...one('top of a tag on a fifth', `sort=top&tag=${SEEDED.bigTag}`, ofTag(SEEDED.bigTag)),
      latest: `${items}: a tag on a fifth`,
    },
    {
      ...one(
        'top of a user with a twentieth',
        `sort=top&username=${SEEDED.busyUser}`,
        ofUser(SEEDED.busyUser),
      ),
      latest: `${items}: a user with a twentieth`,
    },
    one('period=week', 'period=week', `${all} and created_at >= now() - interval '7 days'`),
    one('a tag on a fifth', `tag=${SEEDED.bigTag}`, ofTag(SEEDED.bigTag)),
    one('a tag on 10', `tag=${SEEDED.smallTag}`, ofTag(SEEDED.smallTag)),
    one('a user with a twentieth', `username=${SEEDED.busyUser}`, ofUser(SEEDED.busyUser)),
    one('a user with 3', `username=${SEEDED.quietUser}`, ofUser(SEEDED.quietUser)),
    one('nsfw=1', 'nsfw=1', `select count(*) from ${items} where listing <> 'unlisted'`),
    one('limit=250', 'limit=250', all),
  ];
}

/** Requests whose work is bounded but grows with what a site of 1,000 posts doesn't have: measured without a target. */
export const DISCOVERY: readonly { readonly what: string; readonly path: string }[] = [
  { what: 'feed of a user who follows everybody', path: '/me/feed' },
  { what: 'rising', path: '/posts?sort=rising' },
  { what: 'similar posts, a typing error', path: '/posts?q=mountin&similar=1' },
  { what: 'people, a typing error', path: '/users?q=bnch_busy' },
  { what: 'suggestions', path: '/search/suggest?q=post%201' },
  { what: 'neighbours in top', path: `/posts/${SEEDED.postSlug(SEEDED.busyPost(40))}/neighbours?sort=top` },
];
