import { MAX_LIMIT, MAX_TAG_LENGTH } from '../vocabulary/limits';
import { Choice, QueryFlag, SlugList, Text, WholeNumber } from './fields';

/** Default number of items per page. */
export const DEFAULT_LIMIT = 10;
/** Far above every last page, and far below the limits of PostgreSQL's numbers. */
const MAX_PAGE = 2_147_483_647;

const FEED_SORTS = ['latest', 'rising', 'top', 'random'] as const;
export type FeedSort = (typeof FEED_SORTS)[number];
export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];
export const COMMENT_SORTS = ['oldest', 'latest', 'top'] as const;
export type CommentSort = (typeof COMMENT_SORTS)[number];

/** Query parameters of every list. */
export class PageQuery {
  @WholeNumber({ min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Number of items per page.' })
  limit: number = DEFAULT_LIMIT;

  @WholeNumber({ min: 1, max: MAX_PAGE, default: 1, description: 'Page number, starting at 1.' })
  page: number = 1;
}

/** GET /posts, /media */
export class FeedQuery extends PageQuery {
  @Text({ max: 255, description: 'Only items with this tag.' })
  tag?: string;

  @Choice(FEED_SORTS, {
    description:
      'Default: `latest`. `top`: the highest score first, the newest first among equals; a vote changes the order within a few seconds. The score of a media item is the highest score of the listed posts that contain it, 0 if there is none. `rising`: the best scores for their age, among the items of the last three days with the highest scores (at most 1,000); `period` is ignored.',
  })
  sort?: FeedSort;

  @Choice(PERIODS, {
    description: 'How far back in time items are listed, with a precision of one second. Default: `all`.',
  })
  period?: Period;

  @Text({ max: 255, description: 'Only items of this user.' })
  username?: string;

  @QueryFlag({ description: '`1` includes nsfw content.' })
  nsfw?: boolean;

  @WholeNumber({
    description:
      'Seed of the order for `sort=random`. If absent, the server chooses one and puts it into the links.',
  })
  seed?: number;

  @Text({
    max: 500,
    directional: true,
    description: 'Search words; each of them must occur in the title, description or tags.',
  })
  q?: string;
}

/** GET /posts */
export class PostFeedQuery extends FeedQuery {
  @QueryFlag({
    description:
      '`1`: the posts that resemble `q` instead of containing its words, the most similar first and at most 300: words with the same beginning or another English ending, titles with similar words, parts of Chinese, Japanese and Korean texts. Only `nsfw`, `page` and `limit` apply besides.',
  })
  similar?: boolean;
}

const NEIGHBOUR_FEEDS = ['latest', 'rising', 'top', 'followed'] as const;

/** GET /posts/<post>/neighbours */
export class NeighboursQuery {
  @Choice(NEIGHBOUR_FEEDS, {
    description: 'The order of the feed, or `followed` for `GET /me/feed` of the caller. Default: `latest`.',
  })
  sort?: (typeof NEIGHBOUR_FEEDS)[number];

  @Choice(PERIODS, { description: 'How far back in time the feed reaches. Default: `all`.' })
  period?: Period;

  @Text({ max: 255, description: 'The feed of this tag.' })
  tag?: string;

  @Text({ max: 255, description: 'The feed of this user; `tag` is then ignored.' })
  username?: string;

  @Text({ max: 500, directional: true, description: 'The feed of the posts with all of these words.' })
  q?: string;

  @Text({ max: 255, description: 'A collection (its slug, or `saved`); only `nsfw` applies besides.' })
  collection?: string;

  @QueryFlag({ description: '`1` includes nsfw content.' })
  nsfw?: boolean;
}

/** Largest number of characters of a text that searches people, and for which suggestions are made. */
const MAX_SEARCH = 100;

/** GET /users */
export class UserSearchQuery extends PageQuery {
  @Text({
    max: MAX_SEARCH,
    required: true,
    directional: true,
    description: 'A part of a username, or something like it.',
  })
  q!: string;
}

/** GET /search/suggest */
export class SuggestionQuery {
  @Text({
    max: MAX_SEARCH,
    required: true,
    directional: true,
    description: 'What somebody has typed so far.',
  })
  q!: string;
}

/** GET /me/feed */
export class FollowedFeedQuery extends PageQuery {
  @Choice(['latest', 'top'], {
    description: 'Default: `latest`. `top`: the highest score first, the newest first among equals.',
  })
  sort?: 'latest' | 'top';

  @Choice(PERIODS, { description: 'How far back in time posts are listed. Default: `all`.' })
  period?: Period;

  @QueryFlag({ description: '`1` includes nsfw content.' })
  nsfw?: boolean;
}

/** Largest number of slugs in `GET /media?slugs=`. */
export const MAX_SLUGS = 100;

/** GET /media */
export class MediaFeedQuery extends FeedQuery {
  @SlugList({
    max: MAX_SLUGS,
    description:
      'Slugs, separated by commas. The response holds exactly these media items, in this order, on one page; items that are unknown or that the caller may not see are omitted. All other parameters are ignored.',
  })
  slugs?: readonly string[];
}

/** GET /users/<username>/posts, …/media, …/comments, …/followers, …/following */
export class UserListQuery extends PageQuery {
  @Choice(['latest'], { description: '`latest` is the only order.' })
  sort?: 'latest';

  @Choice(PERIODS, { description: 'How far back in time items are listed. Default: `all`.' })
  period?: Period;

  @QueryFlag({ description: '`1` includes nsfw content.' })
  nsfw?: boolean;
}

/** Seconds that a request may wait for a media item. */
const MAX_WAIT_SECONDS = 20;

/** GET /media/<slug> */
export class MediaQuery {
  @WholeNumber({
    min: 0,
    max: MAX_WAIT_SECONDS,
    default: 0,
    description:
      'Longest time in seconds to wait until the media item is processed, and is either moderated or waiting for a moderator. The response is sent as soon as this is the case, or after this time with the current state. It is sent immediately if too many requests are waiting.',
  })
  wait: number = 0;
}

/** GET /posts/<slug> */
export class PostQuery {
  @WholeNumber({ min: 1, max: MAX_PAGE, default: 1, description: 'Page number of the media list.' })
  mediaPage: number = 1;

  @WholeNumber({ min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT, description: 'Number of media per page.' })
  perPage: number = DEFAULT_LIMIT;
}

/** GET /posts/<post>/comments */
export class CommentListQuery extends PageQuery {
  @Choice(COMMENT_SORTS, { description: 'Default: `oldest`.' })
  sort?: CommentSort;

  @WholeNumber({ min: 1, description: 'Only the direct replies to this comment.' })
  parent_id?: number;
}

/** GET /tags/<tag> */
export class TagQuery {
  @QueryFlag({ description: '`1` includes nsfw content in the counts.' })
  nsfw?: boolean;
}

/** GET /tags */
export class TagListQuery extends PageQuery {
  @Text({
    max: MAX_TAG_LENGTH,
    directional: true,
    description: 'Only tags whose name starts with this text.',
  })
  q?: string;

  @QueryFlag({ description: '`1` includes nsfw content in the counts.' })
  nsfw?: boolean;

  @QueryFlag({
    description:
      '`1`: tags whose name contains `q` or resembles it instead, the most similar first, among the 10,000 most used tags.',
  })
  similar?: boolean;
}
