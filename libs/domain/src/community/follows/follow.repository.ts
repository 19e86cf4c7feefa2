import { Injectable } from '@nestjs/common';
import type { Period } from '@vitrine/contracts/api';
import { Database, type Transaction } from '@vitrine/database';
import { intervalOf } from '../../base/queries/period-interval';

/** The two lists of a user: followers, and followed users. */
export type FollowSide = 'followers' | 'following';

export interface Follow {
  readonly followerId: number;
  readonly followeeId: number;
}

/** An entry of one of these lists. */
export interface FollowEntry {
  /** The other user. */
  readonly userId: number;
  readonly followedAt: Date;
}

/** Which list to read. */
export interface FollowList {
  readonly side: FollowSide;
  readonly userId: number;
  readonly period: Period;
  /** The users who are left out. */
  readonly hidden: readonly number[];
}

/** For each list, the column with its user and the column with the user that an entry shows. */
const SIDES = {
  followers: { own: 'followee_id', other: 'follower_id' },
  following: { own: 'follower_id', other: 'followee_id' },
} as const;

const COLUMNS = 'id, follower_id as "followerId", followee_id as "followeeId"';

/** Every query on the table `follows`. */
@Injectable()
export class FollowRepository {
  constructor(private readonly database: Database) {}

  /** Adds a follow; returns whether it is new. */
  insert(tx: Transaction, { followerId, followeeId }: Follow): Promise<boolean> {
    return tx.affects(
      `insert into follows (follower_id, followee_id) values ($1, $2)
       on conflict (follower_id, followee_id) do nothing`,
      [followerId, followeeId],
    );
  }

  /** Removes a follow; returns whether it existed. */
  remove(tx: Transaction, { followerId, followeeId }: Follow): Promise<boolean> {
    return tx.affects(`delete from follows where follower_id = $1 and followee_id = $2`, [
      followerId,
      followeeId,
    ]);
  }

  async exists({ followerId, followeeId }: Follow): Promise<boolean> {
    const rows = await this.database.read('select from follows where follower_id = $1 and followee_id = $2', [
      followerId,
      followeeId,
    ]);
    return rows.length > 0;
  }

  /** One page of a list, the latest first. */
  findPage(
    { side, userId, period, hidden }: FollowList,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<FollowEntry[]> {
    const { own, other } = SIDES[side];
    return this.database.read<FollowEntry>(
      `select ${other} as "userId", created_at as "followedAt" from follows
       where ${own} = $1 and ($2::interval is null or created_at >= now() - $2::interval)
         and ${other} not in (select id from unnest($5::bigint[]) as left_out (id))
       order by id desc limit $3 offset $4`,
      [userId, intervalOf(period), limit, offset, hidden],
    );
  }

  /** The number of a list's entries within a period, by reading them. */
  async count(side: FollowSide, userId: number, period: Period): Promise<number> {
    const [row] = await this.database.read<{ total: number }>(
      `select count(*) as total from follows
       where ${SIDES[side].own} = $1 and ($2::interval is null or created_at >= now() - $2::interval)`,
      [userId, intervalOf(period)],
    );
    return row?.total ?? 0;
  }

  /** Up to `limit` follows of which the user is the follower or the followee. */
  findOf(tx: Transaction, userId: number, limit: number): Promise<(Follow & { readonly id: number })[]> {
    return tx.query(
      `(select ${COLUMNS} from follows where follower_id = $1 limit $2)
       union all (select ${COLUMNS} from follows where followee_id = $1 limit $2)
       limit $2`,
      [userId, limit],
    );
  }

  /** Removes follows and returns those that still existed. */
  removeAll(tx: Transaction, ids: readonly number[]): Promise<Follow[]> {
    return tx.query(`delete from follows where id = any($1) returning ${COLUMNS}`, [ids]);
  }
}
