import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { type FollowCounts, FollowCountsRepository } from './follow-counts.repository';

/** What accounts' rows know of follows. A follow changes under the locks of both accounts, and their counts with it. */
@Injectable()
export class FollowCountsService {
  constructor(private readonly repository: FollowCountsRepository) {}

  /** Null where there never was such an account. */
  find(userId: number): Promise<FollowCounts | null> {
    return this.repository.find(userId);
  }

  /** Locks accounts, deleted ones too, in the order of their ids, and returns which of them live. */
  async lock(tx: Transaction, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const accounts = await this.repository.lock(tx, userIds);
    return new Set(accounts.filter(({ living }) => living).map(({ id }) => id));
  }

  /** Changes how many follow each of some accounts, which must be locked. */
  changeFollowers(tx: Transaction, userIds: readonly number[], by: number): Promise<void> {
    return this.repository.changeFollowers(tx, userIds, by);
  }

  /** Changes how many each of some accounts follows; they must be locked. */
  changeFollowing(tx: Transaction, userIds: readonly number[], by: number): Promise<void> {
    return this.repository.changeFollowing(tx, userIds, by);
  }
}
