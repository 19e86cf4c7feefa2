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

  async findState(tx: Transaction, target: VoteTarget, targetId: number, userId: number): Promise<VoteState> {
    const { table, key } = TABLES[target];
    const [row] = await tx.query<{ value: VoteValue }>(
      `select value from ${table} where ${key} = $1 and user_id = $2`,
      [targetId, userId],
    );
    return row?.value ?? 0;
  }

  async record(
    tx: Transaction,
    target: VoteTarget,
    targetId: number,
    userId: number,
    value: VoteValue,
  ): Promise<void> {
    const { table, key } = TABLES[target];
    await tx.query(
      `insert into ${table} (${key}, user_id, value) values ($1, $2, $3)
       on conflict (${key}, user_id) do update set value = excluded.value, created_at = now()`,
      [targetId, userId, value],
    );
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
