import { Injectable } from '@nestjs/common';
import type { Period } from '@vitrine/contracts/api';
import {
  besideIn,
  countedName,
  type Feed,
  type FeedPage,
  type FeedPageRequest,
  type Neighbours,
  type PagePlan,
} from './feed';
import { FeedRepository, type FeedStart } from './feed.repository';
import { type FollowedFeed, FollowedFeedRepository } from './followed-feed.repository';
import { FROM_TOP, HIGHEST_ID, type TopBounds, TopFeedRepository } from './top-feed.repository';

/** More items than this aren't left out of a feed, because each page reads their ids. */
const MAX_LEFT_OUT = 10_000;

/** `sort=rising` shows items of this time, those with the highest scores up to this number. */
const RISING_DAYS = '3 days';
const RISING_ITEMS = 1000;

/** Reads pages of feeds at a cost that doesn't depend on the feed's size (docs/feeds.md). */
@Injectable()
export class FeedsService {
  constructor(
    private readonly repository: FeedRepository,
    private readonly top: TopFeedRepository,
    private readonly followed: FollowedFeedRepository,
  ) {}

  /** The ids of one page and the exact size of the feed. A page after the last one has no ids. */
  async findPage(feed: Feed, request: FeedPageRequest): Promise<FeedPage> {
    const { period } = request;
    if (request.rising) return this.findRisingPage(feed, request);
    const [floor, size] = await Promise.all([
      period === 'all' ? null : this.repository.findFloor(feed, period),
      countedName(feed) === null ? null : this.repository.findSize(feed),
    ]);
    if (period !== 'all' && floor === null) return { ids: [], total: 0 };
    const { page, ...order } = request;
    const offset = (page - 1) * request.limit;
    const plan: PagePlan = { ...order, floor, offset, dense: size?.dense ?? false };
    if (size === null) return this.repository.findByReading(feed, plan);
    const total =
      floor === null
        ? size.total - (feed.without?.length ?? 0)
        : await this.countFrom(feed, plan.dense, floor);
    return { ids: offset < total ? await this.findIds(feed, plan) : [], total };
  }

  /**
   * A page of the posts of the people and tags that a viewer follows, without those of hidden people. `total` is at
   * most `FOLLOWED_FEED_REACH`.
   */
  async findFollowedPage(
    feed: Omit<FollowedFeed, 'floor'>,
    { page, limit, period }: Omit<FeedPageRequest, 'seed' | 'top'>,
  ): Promise<FeedPage> {
    const all: Feed = { items: 'posts', audience: feed.audience };
    const floor = period === 'all' ? null : await this.repository.findFloor(all, period);
    if (period !== 'all' && floor === null) return { ids: [], total: 0 };
    const ids = await this.followed.find({ ...feed, floor });
    return { ids: ids.slice((page - 1) * limit, page * limit), total: ids.length };
  }

  /**
   * The feed without the items of some users. Leaves out at most `MAX_LEFT_OUT` items, the latest of them: the caller must
   * remove others from each page.
   */
  async leaveOut(feed: Feed, userIds: readonly number[]): Promise<Feed> {
    const all = { ...feed, words: undefined };
    const without = await this.repository.findOwned(all, userIds, MAX_LEFT_OUT);
    return without.length === 0 ? feed : { ...feed, without };
  }

  /** The number of items in a counted feed: of all items, of a user or of a tag. */
  async count(feed: Feed): Promise<number> {
    return (await this.repository.findSize(feed)).total;
  }

  /** The items before and after one in a feed. */
  async findNeighbours(
    feed: Feed,
    id: number,
    { sort, period }: { readonly sort: 'latest' | 'rising' | 'top'; readonly period: Period },
  ): Promise<Neighbours> {
    if (sort === 'rising') {
      const part = { page: 1, limit: RISING_ITEMS, period, seed: null };
      const { ids } = await this.findRisingPage(feed, part);
      return besideIn(ids, ids.indexOf(id));
    }
    const floor = period === 'all' ? null : await this.repository.findFloor(feed, period);
    if (period !== 'all' && floor === null) return { previous: null, next: null };
    const top = sort === 'top';
    if (countedName(feed) === null) return this.repository.readBeside(feed, id, floor, top);
    return top
      ? this.top.findBeside(feed, id, { period, floor })
      : this.repository.findBeside(feed, id, floor);
  }

  /** A page of the recent items with the highest scores, the best score for its age first. */
  private async findRisingPage(feed: Feed, { page, limit }: FeedPageRequest): Promise<FeedPage> {
    const floor = await this.repository.findFloor(feed, RISING_DAYS);
    if (floor === null) return { ids: [], total: 0 };
    const plan = { period: 'week', seed: null, top: true, floor, offset: 0, limit: RISING_ITEMS } as const;
    const highest =
      countedName(feed) === null
        ? (await this.repository.findByReading(feed, { ...plan, dense: false })).ids
        : await this.top.findPage(feed, FROM_TOP, { ...plan, dense: false });
    const offset = (page - 1) * limit;
    const ids = offset < highest.length ? await this.top.sortRising(feed, highest, limit, offset) : [];
    return { ids, total: highest.length };
  }

  private countFrom(feed: Feed, dense: boolean, floor: number): Promise<number> {
    return dense ? this.repository.countByBlocks(feed, floor) : this.repository.count(feed, floor);
  }

  private findIds(feed: Feed, plan: PagePlan): Promise<number[]> {
    if (plan.top) return this.findTop(feed, plan);
    return plan.seed === null ? this.findLatest(feed, plan) : this.findShuffled(feed, plan.seed, plan);
  }

  private async findLatest(feed: Feed, plan: PagePlan): Promise<number[]> {
    const { dense, offset } = plan;
    const fromTop: FeedStart = { below: null, offset };
    const start = dense && offset > 0 ? await this.repository.findStart(feed, offset) : fromTop;
    return start ? this.repository.findLatest(feed, start, plan) : [];
  }

  private async findTop(feed: Feed, plan: PagePlan): Promise<number[]> {
    const { dense, offset } = plan;
    const start =
      dense && offset > 0 && isWhole(feed) ? await this.findTopStart(feed, plan) : { ...FROM_TOP, offset };
    return start ? this.top.findPage(feed, start, plan) : [];
  }

  /** Where the page begins in the feed of all items; null after the end. */
  private async findTopStart(feed: Feed, plan: PagePlan): Promise<TopBounds | null> {
    const found = await this.top.findStart(feed, plan);
    if (!found) return null;
    const { age, score, dense, without } = found;
    const ranked: Feed = { ...feed, rank: { age, score }, without };
    const inRank = dense ? await this.repository.findStart(ranked, found.offset) : null;
    // Younger items of this score come before the page.
    const below = FROM_TOP.below.map((all, index) =>
      index < age ? 0 : index === age ? (inRank?.below ?? HIGHEST_ID) : all,
    );
    return { score, below, offset: inRank?.offset ?? found.offset };
  }

  private findShuffled(feed: Feed, seed: number, plan: PagePlan): Promise<number[]> {
    const hasBuckets = plan.dense && plan.floor === null && isWhole(feed);
    return hasBuckets
      ? this.repository.findShuffledByBuckets(feed, seed, plan)
      : this.repository.findShuffled(feed, seed, plan);
  }
}

/** Whether a counted feed has all posts or all media. */
const isWhole = ({ userId, tagId }: Feed): boolean => userId === undefined && tagId === undefined;
