import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** The numbers of a user's followers and followed users. */
export interface FollowCounts {
  readonly followers: number;
  readonly following: number;
}

/** The columns of `users` that count follows. */
@Injectable()
export class FollowCountsRepository {
  constructor(private readonly database: Database) {}

  async find(userId: number): Promise<FollowCounts | null> {
    const [row] = await this.database.read<FollowCounts>(
      'select follower_count as followers, following_count as following from users where id = $1',
      [userId],
    );
    return row ?? null;
  }

  /** Locks users, including deleted ones, in the order of their ids. */
  lock(
    tx: Transaction,
    userIds: readonly number[],
  ): Promise<{ readonly id: number; readonly living: boolean }[]> {
    return tx.query(
      `select id, deleted_at is null as living from users where id = any($1) order by id for no key update`,
      [userIds],
    );
  }

  async changeFollowers(tx: Transaction, userIds: readonly number[], by: number): Promise<void> {
    await tx.query('update users set follower_count = follower_count + $2 where id = any($1)', [userIds, by]);
  }

  async changeFollowing(tx: Transaction, userIds: readonly number[], by: number): Promise<void> {
    await tx.query('update users set following_count = following_count + $2 where id = any($1)', [
      userIds,
      by,
    ]);
  }
}
