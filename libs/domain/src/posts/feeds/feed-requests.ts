import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { FOLLOWED_FEED_REACH } from '@vitrine/contracts';
import type { FeedQuery, FollowedFeedQuery, NeighboursQuery, UserListQuery } from '@vitrine/contracts/api';
import { NotFoundError } from '../../base/errors/domain-error';
import { TagsService } from '../tags/tags.service';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { type Hidden, RelationsService } from '../../community/relations/relations.service';
import { besideIn, type Feed, type FeedPage, type FeedPageRequest, type Neighbours } from './feed';
import { FeedsService } from './feeds.service';
import type { Reading } from '../../base/access/reading';
import type { Viewer } from '../../base/access/viewer';

/** A page of a feed in answer to a request. */
export interface RequestedPage extends FeedPage {
  /** The seed of a shuffled feed, which the links carry; null if the latest or the highest score come first. */
  readonly seed: number | null;
  /** The people whose items must not be shown, where the page could not leave out all of them. */
  readonly hidden?: Hidden;
}

const NO_NEIGHBOURS: Neighbours = { previous: null, next: null };

/** Generated seeds are below this. */
const SEEDS = 2 ** 31;

/** Reads the query parameters of lists of posts and media, in the same way for both. */
@Injectable()
export class FeedRequests {
  constructor(
    private readonly feeds: FeedsService,
    private readonly tags: TagsService,
    private readonly authors: AuthorsService,
    private readonly relations: RelationsService,
  ) {}

  /**
   * A page of all posts or media, for `GET /posts` and `GET /media`. Empty parameters count as absent. An unknown tag
   * or username gives an empty page, and so does one of somebody whom the viewer doesn't see because of a block. The
   * items of people whom the viewer blocks or mutes, or who block the viewer, are left out; with `username` those of
   * muted people aren't.
   */
  async findPage(
    items: Feed['items'],
    query: FeedQuery,
    { viewer, mayLag = false }: Reading,
  ): Promise<RequestedPage> {
    const seed = query.sort === 'random' ? (query.seed ?? randomInt(SEEDS)) : null;
    const request = { ...readPage(query, seed), top: query.sort === 'top', rising: query.sort === 'rising' };
    const [tagId, userId, hidden] = await Promise.all([
      query.tag ? this.tags.findTagId(query.tag, { mayLag }) : undefined,
      query.username ? this.findVisibleUser(query.username, viewer) : undefined,
      query.username ? undefined : this.relations.findHidden(viewer),
    ]);
    if (tagId === null || userId === null) return { ids: [], total: 0, seed: request.seed };
    const feed: Feed = {
      items,
      audience: query.nsfw ? 'adults' : 'everyone',
      tagId,
      userId,
      words: query.q?.trim() || undefined,
      mayLag,
    };
    if (!hidden?.size) return this.find(feed, request);
    const page = await this.find(await this.feeds.leaveOut(feed, [...hidden]), request);
    return { ...page, hidden };
  }

  /**
   * The posts before and after one in a feed of posts, and the people whose posts the caller must remove. Both are null in a
   * feed that the viewer doesn't see: of an unknown tag, of a user with a block, of followed people without an account.
   */
  async findNeighbours(
    postId: number,
    query: NeighboursQuery,
    { viewer }: Reading,
  ): Promise<Neighbours & Pick<RequestedPage, 'hidden'>> {
    const { sort = 'latest', period = 'all', nsfw = false } = query;
    if (sort === 'followed') {
      if (viewer === null) return NO_NEIGHBOURS;
      const all = { page: 1, limit: FOLLOWED_FEED_REACH, period, nsfw };
      const { ids } = await this.findFollowedPage(viewer, all);
      return besideIn(ids, ids.indexOf(postId));
    }
    const [tagId, userId, hidden] = await Promise.all([
      query.tag && !query.username ? this.tags.findTagId(query.tag) : undefined,
      query.username ? this.findVisibleUser(query.username, viewer) : undefined,
      query.username ? undefined : this.relations.findHidden(viewer),
    ]);
    if (tagId === null || userId === null) return NO_NEIGHBOURS;
    const words = query.q?.trim() || undefined;
    const feed: Feed = { items: 'posts', audience: nsfw ? 'adults' : 'everyone', tagId, userId, words };
    const seen = hidden?.size ? await this.feeds.leaveOut(feed, [...hidden]) : feed;
    return {
      ...(await this.feeds.findNeighbours(seen, postId, { sort, period })),
      ...(hidden && { hidden }),
    };
  }

  /** A page of the posts of the people and tags that the caller follows, without those of blocked and muted people. */
  async findFollowedPage(caller: NonNullable<Viewer>, query: FollowedFeedQuery): Promise<RequestedPage> {
    const hidden = await this.relations.findHidden(caller);
    const feed = {
      viewerId: caller.userId,
      audience: query.nsfw ? ('adults' as const) : ('everyone' as const),
      hidden: [...hidden],
      top: query.sort === 'top',
    };
    const { page, limit, period = 'all' } = query;
    return { ...(await this.feeds.findFollowedPage(feed, { page, limit, period })), seed: null, hidden };
  }

  /**
   * A page of a user's posts or media, for the profile: all of them if the viewer is that user, else those that
   * others can find. Throws `NotFoundError` for an unknown username, and if the viewer doesn't see that user because of a
   * block.
   */
  async findProfilePage(
    items: Feed['items'],
    username: string,
    query: UserListQuery,
    { viewer, mayLag = false }: Reading,
  ): Promise<RequestedPage> {
    const userId = await this.authors.findUserId(username);
    if (userId === null) throw new NotFoundError();
    await this.relations.assertVisible(viewer, userId);
    if (viewer?.userId === userId) return this.findOwnPage(items, userId, query);
    const audience = query.nsfw ? 'adults' : 'everyone';
    return this.find({ items, audience, userId, mayLag }, readPage(query, null));
  }

  /** A page of all posts or media of a user, listed or not, for that user. */
  findOwnPage(items: Feed['items'], userId: number, query: UserListQuery): Promise<RequestedPage> {
    return this.find({ items, audience: 'owner', userId }, readPage(query, null));
  }

  private async findVisibleUser(username: string, viewer: Viewer): Promise<number | null> {
    const userId = await this.authors.findUserId(username);
    const { blocks, isBlocked } = await this.relations.findStanding(viewer, userId);
    return blocks || isBlocked ? null : userId;
  }

  private async find(feed: Feed, request: FeedPageRequest): Promise<RequestedPage> {
    return { ...(await this.feeds.findPage(feed, request)), seed: request.seed };
  }
}

const readPage = (
  { page, limit, period }: Pick<FeedQuery, 'page' | 'limit' | 'period'>,
  seed: number | null,
): FeedPageRequest => ({ page, limit, period: period ?? 'all', seed });
