import { Choice, QueryFlag, SlugList, Text, WholeNumber } from './fields';

/** Items on a page where nothing else is asked for. */
export const DEFAULT_LIMIT = 10;
/** Items that a page has at most. */
export const MAX_LIMIT = 250;
/** Far beyond any last page, and far within what PostgreSQL counts. */
const MAX_PAGE = 2_147_483_647;

export const FEED_SORTS = ['latest', 'random'] as const;
export type FeedSort = (typeof FEED_SORTS)[number];
export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];
export const COMMENT_SORTS = ['oldest', 'latest', 'top'] as const;
export type CommentSort = (typeof COMMENT_SORTS)[number];

/** Which page of a list. */
export class PageQuery {
  @WholeNumber({ min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Items on a page.' })
  limit: number = DEFAULT_LIMIT;

  @WholeNumber({ min: 1, max: MAX_PAGE, default: 1, description: 'Page, from 1.' })
  page: number = 1;
}

/** GET /posts */
export class FeedQuery extends PageQuery {
  @Text({ max: 255, description: 'Name of a tag.' })
  tag?: string;

  @Choice(FEED_SORTS, { description: '`latest` where absent.' })
  sort?: FeedSort;

  @Choice(PERIODS, { description: 'How far back, to the second; `all` where absent.' })
  period?: Period;

  @Text({ max: 255, description: 'Only what this account has posted.' })
  username?: string;

  @QueryFlag({ description: '`1` includes nsfw content.' })
  nsfw?: boolean;

  @WholeNumber({ description: 'The order of `sort=random`; made up where absent, and kept in the links.' })
  seed?: number;

  @Text({
    max: 500,
    directional: true,
    description: 'Words, all of which must be in title, description or tags.',
  })
  q?: string;
}

/** Slugs that `GET /media?slugs=` takes at most. */
export const MAX_SLUGS = 100;

/** GET /media */
export class MediaFeedQuery extends FeedQuery {
  @SlugList({
    max: MAX_SLUGS,
    description:
      'Slugs, separated by commas: exactly these media items, in this order, on one page. Unknown ones, and those ' +
      'that the caller may not see, are left out. The other parameters have no effect then.',
  })
  slugs?: readonly string[];
}

/** GET /users/<username>/posts, …/media, …/comments, …/followers, …/following */
export class UserListQuery extends PageQuery {
  @Choice(['latest'], { description: '`latest` is the only order.' })
  sort?: 'latest';

  @Choice(PERIODS, { description: 'How far back; `all` where absent.' })
  period?: Period;

  @QueryFlag({ description: '`1` includes nsfw content.' })
  nsfw?: boolean;
}

/** GET /posts/<slug> */
export class PostQuery {
  @WholeNumber({ min: 1, max: MAX_PAGE, default: 1, description: 'Page of the media list.' })
  mediaPage: number = 1;

  @WholeNumber({ min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Media on a page.' })
  perPage: number = DEFAULT_LIMIT;
}

/** GET /posts/<post>/comments */
export class CommentListQuery extends PageQuery {
  @Choice(COMMENT_SORTS, { description: '`oldest` where absent.' })
  sort?: CommentSort;

  @WholeNumber({ min: 1, description: 'Only the direct replies to this comment.' })
  parent_id?: number;
}

/** GET /tags */
export class TagListQuery extends PageQuery {
  @Text({ max: 50, directional: true, description: 'Beginning of the name.' })
  q?: string;

  @QueryFlag({ description: '`1` counts nsfw content too.' })
  nsfw?: boolean;
}
