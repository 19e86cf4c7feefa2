import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '@vitrine/database';
import { FeedCountsRepository } from './feed-counts.repository';

/** Deltas that one transaction folds. */
const BATCH = 5000;

/** Keeps the counts of feeds short of deltas, so that reading them stays cheap. Safe in many processes at once. */
@Injectable()
export class FeedCountsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: FeedCountsRepository,
  ) {}

  /** Folds every delta there is into the counts, and counts the blocks of feeds that have become long. */
  async foldAll(): Promise<void> {
    while ((await this.foldOnce()) === BATCH);
  }

  /** Counts every feed anew from its items, as after a bulk load past the triggers. */
  async recountAll(): Promise<void> {
    await this.transactions.runInSnapshot(async (tx) => {
      await this.repository.lock(tx);
      await this.repository.recountAll(tx);
    });
  }

  private foldOnce(): Promise<number> {
    return this.transactions.runInSnapshot(async (tx) => {
      await this.repository.lock(tx);
      const folded = await this.repository.fold(tx, BATCH);
      for (const feed of await this.repository.findNewlyDense(tx)) await this.repository.makeDense(tx, feed);
      return folded;
    });
  }
}
