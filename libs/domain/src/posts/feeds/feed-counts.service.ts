import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { TagsService } from '../tags/tags.service';
import {
  type Announcement,
  type FeedCountDifferences,
  FeedCountsRepository,
  type Unfolded,
} from './feed-counts.repository';

/** The number of deltas that one transaction folds. */
const BATCH = 5000;

/** The blocks of feeds longer than this are counted. Shorter feeds are read entry by entry. */
const DENSE_FROM = 4096;

/**
 * Folds deltas into the counts of feeds, so that reading the counts stays cheap. Safe in several processes at once.
 */
@Injectable()
export class FeedCountsService {
  constructor(
    private readonly database: Database,
    private readonly repository: FeedCountsRepository,
    private readonly tags: TagsService,
  ) {}

  /** The deltas that aren't folded yet. */
  findUnfolded(): Promise<Unfolded> {
    return this.repository.findUnfolded();
  }

  /** Folds all deltas into the counts, and counts the blocks of feeds that have become long. */
  async foldAll(denseFrom = DENSE_FROM): Promise<void> {
    while ((await this.foldOnce(denseFrom)) === BATCH);
  }

  /** Counts every feed again from its items, for example after a bulk load without triggers. */
  async recountAll(denseFrom = DENSE_FROM): Promise<void> {
    await this.database.snapshot(async (tx) => {
      await this.repository.lock(tx);
      await this.repository.recountAll(tx, denseFrom);
      await this.tags.copyCounts(tx, null);
    });
  }

  /** The number of counts that differ from their items. `tx` must run on a snapshot. */
  countDifferences(tx: Transaction): Promise<FeedCountDifferences> {
    return this.repository.countDifferences(tx);
  }

  /** Locks the next post whose author's followers are to be notified; null if there is none. */
  takeAnnouncement(tx: Transaction): Promise<Announcement | null> {
    return this.repository.takeAnnouncement(tx);
  }

  /** Records how far the followers have been notified; null: all of them. */
  recordAnnouncement(tx: Transaction, postId: number, afterFollowId: number | null): Promise<void> {
    return this.repository.recordAnnouncement(tx, postId, afterFollowId);
  }

  private foldOnce(denseFrom: number): Promise<number> {
    return this.database.snapshot(async (tx) => {
      await this.repository.lock(tx);
      const { deltas, feeds } = await this.repository.fold(tx, BATCH);
      for (const feed of await this.repository.findNewlyDense(tx, feeds, denseFrom)) {
        await this.repository.makeDense(tx, feed);
      }
      await this.repository.forgetEmpty(tx, feeds);
      await this.tags.copyCounts(tx, feeds);
      return deltas;
    });
  }
}
