import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { VoteState, VoteValue } from './vote.rules';

/** What can be voted on. */
export type VoteTarget = 'post' | 'comment';

/** A user's vote on one post or comment. */
export interface Vote {
  readonly targetId: number;
  readonly value: VoteValue;
}

const TABLES = {
  post: { table: 'post_votes', key: 'post_id' },
  comment: { table: 'comment_votes', key: 'comment_id' },
} as const;

/** Every query on the tables `post_votes` and `comment_votes`. */
@Injectable()
export class VoteRepository {
  constructor(private readonly database: Database) {}

  /** A user's votes on some posts or comments; those without a vote are left out. */
  findByUser(target: VoteTarget, userId: number, targetIds: readonly number[]): Promise<Vote[]> {
    const { table, key } = TABLES[target];
    return this.database.read<Vote>(
      `select ${key} as "targetId", value from ${table} where user_id = $1 and ${key} = any($2)`,
      [userId, targetIds],
    );
  }

  /** The votes of some users on one item, by user id; those without a vote are left out. */
  async findStates(
    tx: Transaction,
    target: VoteTarget,
    targetId: number,
    userIds: readonly number[],
  ): Promise<Map<number, VoteState>> {
    const { table, key } = TABLES[target];
    const rows = await tx.query<{ userId: number; value: VoteValue }>(
      `select user_id as "userId", value from ${table} where ${key} = $1 and user_id = any($2)`,
      [targetId, userIds],
      { prepared: true },
    );
    return new Map(rows.map(({ userId, value }) => [userId, value]));
  }

  /** Sets the votes of some users on one item. */
  async record(
    tx: Transaction,
    target: VoteTarget,
    targetId: number,
    states: ReadonlyMap<number, VoteState>,
  ): Promise<void> {
    const { table, key } = TABLES[target];
    const withdrawn = [...states].filter(([, value]) => value === 0).map(([userId]) => userId);
    const cast = [...states].filter(([, value]) => value !== 0);
    if (withdrawn.length > 0) {
      await tx.query(`delete from ${table} where ${key} = $1 and user_id = any($2)`, [targetId, withdrawn], {
        prepared: true,
      });
    }
    if (cast.length > 0) {
      await tx.query(
        `insert into ${table} (${key}, user_id, value)
         select $1, user_id, value from unnest($2::bigint[], $3::smallint[]) as cast_vote (user_id, value)
         on conflict (${key}, user_id) do update set value = excluded.value, created_at = now()`,
        [targetId, cast.map(([userId]) => userId), cast.map(([, value]) => value)],
        { prepared: true },
      );
    }
  }

  /** The ids of up to `limit` posts or comments that a user has voted on, in order. */
  async findTargets(tx: Transaction, target: VoteTarget, userId: number, limit: number): Promise<number[]> {
    const { table, key } = TABLES[target];
    const rows = await tx.query<{ id: number }>(
      `select ${key} as id from ${table} where user_id = $1 order by ${key} limit $2`,
      [userId, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Removes a user's votes on some posts or comments and returns those that existed. */
  async remove(
    tx: Transaction,
    target: VoteTarget,
    targetIds: readonly number[],
    userId: number,
  ): Promise<Vote[]> {
    const { table, key } = TABLES[target];
    return tx.query<Vote>(
      `with removed as (
         delete from ${table} where user_id = $1 and ${key} = any($2) returning ${key} as id, value
       )
       select id as "targetId", value from removed order by id`,
      [userId, targetIds],
    );
  }
}
