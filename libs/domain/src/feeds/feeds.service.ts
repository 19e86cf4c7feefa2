import { Injectable } from '@nestjs/common';
import { countedName, type Feed, type FeedPage, type FeedPageRequest } from './feed';
import { FeedRepository, type FeedStart } from './feed.repository';

/** Reads pages of feeds at a cost that doesn't depend on the feed's size (docs/feeds.md). */
@Injectable()
export class FeedsService {
  constructor(private readonly repository: FeedRepository) {}

  /** The ids of one page and the exact size of the feed. A page after the last one has no ids. */
  async findPage(feed: Feed, request: FeedPageRequest): Promise<FeedPage> {
    const { period } = request;
    const [floor, size] = await Promise.all([
      period === 'all' ? null : this.repository.findFloor(feed, period),
      countedName(feed) === null ? null : this.repository.findSize(feed),
    ]);
    if (period !== 'all' && floor === null) return { ids: [], total: 0 };
    const offset = (request.page - 1) * request.limit;
    if (size === null) {
      return this.repository.findByReading(feed, request.seed, floor, offset, request.limit);
    }
    const { dense } = size;
    const total = floor === null ? size.total : await this.countFrom(feed, dense, floor);
    if (offset >= total) return { ids: [], total };
    const ids =
      request.seed === null
        ? await this.findLatest(feed, dense, floor, offset, request.limit)
        : await this.findShuffled(feed, request.seed, dense, floor, offset, request.limit);
    return { ids, total };
  }

  /** The number of items in a counted feed: of all items, of a user or of a tag. */
  async count(feed: Feed): Promise<number> {
    return (await this.repository.findSize(feed)).total;
  }

  private countFrom(feed: Feed, dense: boolean, floor: number): Promise<number> {
    return dense ? this.repository.countByBlocks(feed, floor) : this.repository.count(feed, floor);
  }

  private async findLatest(
    feed: Feed,
    dense: boolean,
    floor: number | null,
    offset: number,
    limit: number,
  ): Promise<number[]> {
    const fromTop: FeedStart = { below: null, offset };
    const start = dense && offset > 0 ? await this.repository.findStart(feed, offset) : fromTop;
    return start ? this.repository.findLatest(feed, start, floor, limit) : [];
  }

  private findShuffled(
    feed: Feed,
    seed: number,
    dense: boolean,
    floor: number | null,
    offset: number,
    limit: number,
  ): Promise<number[]> {
    const hasBuckets = dense && floor === null && feed.userId === undefined && feed.tagId === undefined;
    return hasBuckets
      ? this.repository.findShuffledByBuckets(feed, seed, offset, limit)
      : this.repository.findShuffled(feed, seed, floor, offset, limit);
  }
}
