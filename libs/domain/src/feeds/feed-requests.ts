import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FeedQuery, UserListQuery } from '@vitrine/contracts';
import { NotFoundError } from '../errors/domain-error';
import type { Viewer } from '../media/media.rules';
import { TagsService } from '../tags/tags.service';
import { AuthorsService } from '../users/authors.service';
import type { Feed, FeedPage, FeedPageRequest } from './feed';
import { FeedsService } from './feeds.service';

/** A page of a feed that a request asked for. */
export interface RequestedPage extends FeedPage {
  /** The order of a shuffled feed, which the links carry; null for the latest first. */
  readonly seed: number | null;
}

/** Seeds made up here end below this. */
const SEEDS = 2 ** 31;

/** What the parameters of lists of posts and media stand for: one reading of them for both. */
@Injectable()
export class FeedRequests {
  constructor(
    private readonly feeds: FeedsService,
    private readonly tags: TagsService,
    private readonly authors: AuthorsService,
  ) {}

  /**
   * A page of all posts or media, as `GET /posts` and `GET /media` ask for it. Empty parameters count as absent;
   * of an unknown tag or account there is nothing. For `mayLag` see `Feed`.
   */
  async findPage(items: Feed['items'], query: FeedQuery, mayLag: boolean): Promise<RequestedPage> {
    const request = readPage(query, query.sort === 'random' ? (query.seed ?? randomInt(SEEDS)) : null);
    const [tagId, userId] = await Promise.all([
      query.tag ? this.tags.findTagId(query.tag, mayLag) : undefined,
      query.username ? this.authors.findUserId(query.username) : undefined,
    ]);
    if (tagId === null || userId === null) return { ids: [], total: 0, seed: request.seed };
    return this.find(
      {
        items,
        audience: query.nsfw ? 'adults' : 'everyone',
        tagId,
        userId,
        words: query.q?.trim() || undefined,
        mayLag,
      },
      request,
    );
  }

  /**
   * A page of what an account has posted, as its profile shows it: to itself everything, to others what they can
   * find. For `mayLag` see `Feed`. Throws `NotFoundError` where there is no such account.
   */
  async findProfilePage(
    items: Feed['items'],
    username: string,
    viewer: Viewer,
    query: UserListQuery,
    mayLag: boolean,
  ): Promise<RequestedPage> {
    const userId = await this.authors.findUserId(username);
    if (userId === null) throw new NotFoundError();
    if (viewer?.userId === userId) return this.findOwnPage(items, userId, query);
    const audience = query.nsfw ? 'adults' : 'everyone';
    return this.find({ items, audience, userId, mayLag }, readPage(query, null));
  }

  /** A page of everything that an account has posted, listed or not, as its owner sees it. */
  findOwnPage(items: Feed['items'], userId: number, query: UserListQuery): Promise<RequestedPage> {
    return this.find({ items, audience: 'owner', userId }, readPage(query, null));
  }

  private async find(feed: Feed, request: FeedPageRequest): Promise<RequestedPage> {
    return { ...(await this.feeds.findPage(feed, request)), seed: request.seed };
  }
}

const readPage = (
  { page, limit, period }: Pick<FeedQuery, 'page' | 'limit' | 'period'>,
  seed: number | null,
): FeedPageRequest => ({ page, limit, period: period ?? 'all', seed });
