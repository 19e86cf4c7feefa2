import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { type FeedCountDifferences, FeedCountsRepository, type Unfolded } from './feed-counts.repository';

/** Deltas that one transaction folds. */
const BATCH = 5000;

/** Feeds longer than this have their blocks counted; shorter ones are passed over entry by entry. */
const DENSE_FROM = 4096;

/** Keeps the counts of feeds short of deltas, so that reading them stays cheap. Safe in many processes at once. */
@Injectable()
export class FeedCountsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: FeedCountsRepository,
  ) {}

  /** How far the counts are behind. */
  findUnfolded(): Promise<Unfolded> {
    return this.repository.findUnfolded();
  }

  /** Folds every delta there is into the counts, and counts the blocks of feeds that have become long. */
  async foldAll(denseFrom = DENSE_FROM): Promise<void> {
    while ((await this.foldOnce(denseFrom)) === BATCH);
  }

  /** Counts every feed anew from its items, as after a bulk load past the triggers. */
  async recountAll(denseFrom = DENSE_FROM): Promise<void> {
    await this.transactions.runInSnapshot(async (tx) => {
      await this.repository.lock(tx);
      await this.repository.recountAll(tx, denseFrom);
    });
  }

  /** How many counts differ from the items they count; to be asked within a snapshot. */
  countDifferences(tx: Transaction): Promise<FeedCountDifferences> {
    return this.repository.countDifferences(tx);
  }

  private foldOnce(denseFrom: number): Promise<number> {
    return this.transactions.runInSnapshot(async (tx) => {
      await this.repository.lock(tx);
      const { deltas, feeds } = await this.repository.fold(tx, BATCH);
      for (const feed of await this.repository.findNewlyDense(tx, feeds, denseFrom)) {
        await this.repository.makeDense(tx, feed);
      }
      return deltas;
    });
  }
}
