import { Injectable } from '@nestjs/common';
import { countedName, type Feed, type FeedPage, type FeedPageRequest, type PagePlan } from './feed';
import { FeedRepository, type FeedStart } from './feed.repository';
import { FROM_TOP, HIGHEST_ID, type TopBounds, TopFeedRepository } from './top-feed.repository';

/** More items than this aren't left out of a feed, because each page reads their ids. */
const MAX_LEFT_OUT = 10_000;

/** Reads pages of feeds at a cost that doesn't depend on the feed's size (docs/feeds.md). */
@Injectable()
export class FeedsService {
  constructor(
    private readonly repository: FeedRepository,
    private readonly top: TopFeedRepository,
  ) {}

  /** The ids of one page and the exact size of the feed. A page after the last one has no ids. */
  async findPage(feed: Feed, request: FeedPageRequest): Promise<FeedPage> {
    const { period } = request;
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
