import { Injectable } from '@nestjs/common';
import type { Period } from '@vitrine/contracts/api';
import { type Transaction, Database } from '@vitrine/database';
import { TagsService } from '../tags/tags.service';
import { type Ranked, RankRepository } from './rank.repository';

/** The number of queue entries, or of ranks that become older, that one transaction handles. */
const BATCH = 500;

const ITEMS: readonly Ranked[] = ['posts', 'media'];

/** The periods whose ends divide the ranks by age. An item younger than the first one has the age 0. */
const PERIODS: readonly Exclude<Period, 'all'>[] = ['day', 'week', 'month', 'year'];

/**
 * Keeps the ranks of posts and media up to date, by which `sort=top` orders them (docs/feeds.md). Safe in several
 * processes at once.
 */
@Injectable()
export class RanksService {
  constructor(
    private readonly database: Database,
    private readonly repository: RankRepository,
    private readonly tags: TagsService,
  ) {}

  /**
   * Copies the listings of some posts or media, which have changed, to the index of their tags, and adds or removes their
   * ranks, so that every feed shows the change at once. To be called under the lock of the items, in the transaction of
   * the change. `connected`: those that may have tags or a score; the others need nothing but a rank.
   */
  async relist(
    tx: Transaction,
    items: Ranked,
    ids: readonly number[],
    connected: readonly number[] = ids,
  ): Promise<void> {
    if (connected.length > 0) await this.tags.copyListings(tx, items, connected);
    if (ids.length > 0) await this.repository.rankListed(tx, items, ids);
    if (connected.length > 0) await this.repository.queue(tx, items, connected);
  }

  /** Has some posts or media ranked soon, because what their ranks are copied from, or to, has changed. */
  queue(tx: Transaction, items: Ranked, ids: readonly number[]): Promise<void> {
    return this.repository.queue(tx, items, ids);
  }

  /** Ranks everything that has changed: votes, listings, and the media of posts. */
  async rankChanges(): Promise<void> {
    if (!(await this.repository.hasChanges())) return;
    while ((await this.rankBatch()) === BATCH);
  }

  /** Gives the items that have left a period their new age. */
  async ageRanks(): Promise<void> {
    for (const items of ITEMS) {
      for (const [age, period] of PERIODS.entries()) {
        while (await this.ageBatch(items, age, period));
      }
    }
  }

  /** Makes every rank again where it is wrong, within the caller's transaction, for example after a bulk load. */
  async rankAll(tx: Transaction): Promise<void> {
    await this.repository.lock(tx);
    for (const items of ITEMS) {
      await this.repository.rankAll(tx, items);
      await this.tags.copyRanks(tx, items, null);
    }
  }

  private rankBatch(): Promise<number> {
    return this.database.transaction(async (tx) => {
      await this.repository.lock(tx);
      const { entries, posts, media } = await this.repository.take(tx, BATCH);
      await this.rank(tx, 'posts', posts);
      await this.rank(tx, 'media', [...media, ...(await this.repository.findMediaOf(tx, posts))]);
      return entries;
    });
  }

  private async rank(tx: Transaction, items: Ranked, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.tags.lockTags(tx, items, ids);
    await this.repository.rankItems(tx, items, ids);
    await this.tags.copyRanks(tx, items, ids);
  }

  /** Returns whether there may be more. */
  private ageBatch(items: Ranked, age: number, period: Exclude<Period, 'all'>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await this.repository.lock(tx);
      const range = await this.repository.moveFloor(tx, items, age, period, BATCH);
      if (range === null) return false;
      const older = await this.repository.findOlder(tx, items, range);
      if (older.length === 0) return true;
      await this.tags.lockTags(tx, items, older);
      await this.repository.setAges(tx, items, older);
      await this.tags.copyRanks(tx, items, older);
      return true;
    });
  }
}
