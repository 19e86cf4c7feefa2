import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { type FollowCounts, FollowCountsRepository } from './follow-counts.repository';

/** The counts of follows in the rows of users. A follow and the counts change under the locks of both users. */
@Injectable()
export class FollowCountsService {
  constructor(private readonly repository: FollowCountsRepository) {}

  /** The counts of a user; null if there never was such a user. */
  find(userId: number): Promise<FollowCounts | null> {
    return this.repository.find(userId);
  }

  /** Locks users, including deleted ones, in the order of their ids. Returns the ids of those that aren't deleted. */
  async lock(tx: Transaction, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const accounts = await this.repository.lock(tx, userIds);
    return new Set(accounts.filter(({ living }) => living).map(({ id }) => id));
  }

  /** Adds `by` to the number of followers of each user; the users must be locked. */
  changeFollowers(tx: Transaction, userIds: readonly number[], by: number): Promise<void> {
    return this.repository.changeFollowers(tx, userIds, by);
  }

  /** Adds `by` to the number of users that each user follows; the users must be locked. */
  changeFollowing(tx: Transaction, userIds: readonly number[], by: number): Promise<void> {
    return this.repository.changeFollowing(tx, userIds, by);
  }
}
