import { Injectable } from '@nestjs/common';
import { hiddenFromPlanner, Database, type Transaction } from '@vitrine/database';
import DataLoader from 'dataloader';
import { BATCHED_READS } from '../../base/queries/batched-reads';

/** What one account has with another. */
export type RelationKind = 'block' | 'mute';

/** An account, and the one that it blocks or mutes. */
export interface Relation {
  readonly ownerId: number;
  readonly otherId: number;
}

/** An entry of an account's list of blocked or muted users. */
export interface RelationEntry {
  readonly userId: number;
  readonly since: Date;
}

/** How one account stands to another. */
export interface Standing {
  /** Whether the account blocks the other. */
  readonly blocks: boolean;
  readonly isBlocked: boolean;
  readonly mutes: boolean;
}

const TABLES = {
  block: { table: 'blocks', owner: 'blocker_id', other: 'blocked_id' },
  mute: { table: 'mutes', owner: 'muter_id', other: 'muted_id' },
} as const;

/** Every query on the tables `blocks` and `mutes`. */
@Injectable()
export class RelationRepository {
  private readonly standings = new DataLoader((pairs: readonly Relation[]) => this.findStandings(pairs), {
    ...BATCHED_READS,
  });

  constructor(private readonly database: Database) {}

  findStanding(pair: Relation): Promise<Standing> {
    return this.standings.load(pair);
  }

  /** The accounts among `userIds` that block `userId` or are blocked by it. */
  async findBlockedAmong(userId: number, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.read<{ id: number }>(
      `select id from unnest(${hiddenFromPlanner('$2::bigint[]')}::bigint[]) as other (id)
       where blocked_between(other.id, ${hiddenFromPlanner('$1::bigint')})`,
      [userId, userIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * The accounts that `userId` blocks and mutes, and if `mutual` up to `limit` of those that block it, the latest first.
   */
  async findHidden(userId: number, mutual: boolean, limit: number): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(
      `select blocked_id as id from blocks where blocker_id = $1
       union select muted_id from mutes where muter_id = $1
       union (select blocker_id from blocks where blocked_id = $1 and $2 order by id desc limit $3)`,
      [userId, mutual, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** As `findStanding(...).blocks || isBlocked`, within a transaction. */
  async isBlockedBetween(tx: Transaction, one: number, other: number): Promise<boolean> {
    const [row] = await tx.query<{ blocked: boolean }>('select blocked_between($1, $2) as blocked', [
      one,
      other,
    ]);
    return row?.blocked ?? false;
  }

  /** The number of users whom an account blocks or mutes. */
  async count(tx: Transaction, kind: RelationKind, ownerId: number): Promise<number> {
    const { table, owner } = TABLES[kind];
    const [row] = await tx.query<{ total: number }>(
      `select count(*)::integer as total from ${table} where ${owner} = $1`,
      [ownerId],
    );
    return row?.total ?? 0;
  }

  /** Adds a relation; returns whether it is new. */
  async insert(tx: Transaction, kind: RelationKind, { ownerId, otherId }: Relation): Promise<boolean> {
    const { table, owner, other } = TABLES[kind];
    return tx.affects(
      `insert into ${table} (${owner}, ${other}) values ($1, $2) on conflict (${owner}, ${other}) do nothing`,
      [ownerId, otherId],
    );
  }

  async remove(tx: Transaction, kind: RelationKind, { ownerId, otherId }: Relation): Promise<void> {
    const { table, owner, other } = TABLES[kind];
    await tx.query(`delete from ${table} where ${owner} = $1 and ${other} = $2`, [ownerId, otherId]);
  }

  /** One page of the users whom an account blocks or mutes, the latest first, and their number. */
  async findPage(
    kind: RelationKind,
    ownerId: number,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly entries: readonly RelationEntry[]; readonly total: number }> {
    const { table, owner, other } = TABLES[kind];
    const [entries, [counted]] = await Promise.all([
      this.database.read<RelationEntry>(
        `select ${other} as "userId", created_at as since from ${table} where ${owner} = $1
         order by id desc limit $2 offset $3`,
        [ownerId, limit, offset],
      ),
      this.database.read<{ total: number }>(
        `select count(*)::integer as total from ${table} where ${owner} = $1`,
        [ownerId],
      ),
    ]);
    return { entries, total: counted?.total ?? 0 };
  }

  /** Removes up to `limit` relations by or to a user; returns how many of each kind were found. */
  async removeOf(tx: Transaction, userId: number, limit: number): Promise<number> {
    let found = 0;
    for (const { table, owner, other } of Object.values(TABLES)) {
      const rows = await tx.query(
        `delete from ${table} where id in (
           (select id from ${table} where ${owner} = $1 limit $2)
           union (select id from ${table} where ${other} = $1 limit $2)
         ) returning id`,
        [userId, limit],
      );
      found += rows.length;
    }
    return found;
  }

  private async findStandings(pairs: readonly Relation[]): Promise<Standing[]> {
    return this.database.read<Standing>(
      `select exists (select from blocks where blocker_id = pair.owner and blocked_id = pair.other) as blocks,
              exists (select from blocks where blocker_id = pair.other and blocked_id = pair.owner) as "isBlocked",
              exists (select from mutes where muter_id = pair.owner and muted_id = pair.other) as mutes
       from unnest(${hiddenFromPlanner('$1::bigint[]')}, ${hiddenFromPlanner('$2::bigint[]')})
            with ordinality as pair (owner, other, place)
       order by place`,
      [pairs.map(({ ownerId }) => ownerId), pairs.map(({ otherId }) => otherId)],
    );
  }
}
