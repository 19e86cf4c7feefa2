import { Injectable } from '@nestjs/common';
import { hiddenFromPlanner, Database, type Transaction } from '@vitrine/database';
import DataLoader from 'dataloader';
import { BATCHED_READS } from '../../base/queries/batched-reads';
import type {
  LargeAccount,
  QuotaChange,
  StorageCountDifferences,
  StorageDay,
  StoredKind,
  StorageLimits,
  StoredAmount,
  StoredTotal,
} from './quota.types';

/** "stor" in ASCII: first half of the advisory locks under which uploads are counted. */
const LOCKS = 0x73746f72;
/** Second half of the lock for the total; that of an account is its id. */
const TOTAL_LOCK = 0;

/** Today, in UTC. */
const TODAY = `(now() at time zone 'utc')::date`;

/** Adds rows of amounts, `from` which the statement selects, to those of today. */
const addToToday = (from: string): string =>
  `insert into storage_days as counted (day, files, bytes, variant_bytes)
   select ${TODAY}, sum(files), sum(bytes), sum(variant_bytes) from ${from} having count(*) > 0
   on conflict (day) do update set files = counted.files + excluded.files,
     bytes = counted.bytes + excluded.bytes, variant_bytes = counted.variant_bytes + excluded.variant_bytes`;

type Runner = Pick<Transaction, 'query'>;

/** All media as rows of `storage_deltas`. */
const STORED =
  'select user_id, kind, 1 as files, bytes, variant_bytes(variants, alternatives) as variant_bytes from media';

/** The quota that staff have set for an account, and whether it is a guest. */
export interface OwnQuota extends StorageLimits {
  readonly isGuest: boolean;
}

interface LargestRow extends Omit<LargeAccount, 'limits'> {
  readonly ownFiles: number | null;
  readonly ownBytes: number | null;
}

/** Every query on quotas and on what is stored. A trigger adds the rows of `storage_deltas`. */
@Injectable()
export class QuotaRepository {
  private readonly own = new DataLoader(
    (userIds: readonly number[]) => this.findAllOwn(userIds),
    BATCHED_READS,
  );

  constructor(private readonly database: Database) {}

  /** The member with this username, ignoring case, also a suspended one; null if there is none. */
  async findMember(username: string): Promise<{ readonly id: number; readonly username: string } | null> {
    const [row]: { id: number; username: string }[] = await this.database.query(
      `select id, username from users
       where lower(username) = lower($1) and kind = 'member' and deleted_at is null`,
      [username],
    );
    return row ?? null;
  }

  /** Null if there is no such account. */
  async findOwn(userId: number, tx?: Transaction): Promise<OwnQuota | null> {
    return tx ? (await this.findAllOwn([userId], tx))[0]! : this.own.load(userId);
  }

  /** The quota of an account with what it stores; null if there is no such account. */
  async findOwnAndUsed(
    userId: number,
  ): Promise<{ readonly own: OwnQuota; readonly used: StoredAmount } | null> {
    const [row]: (OwnQuota & { usedFiles: number; usedBytes: number })[] = await this.database.query(
      `select u.kind = 'guest' as "isGuest", q.bytes, q.files,
              used.files as "usedFiles", used.bytes as "usedBytes"
       from users u left join account_quotas q on q.user_id = u.id
       cross join lateral (
         select coalesce(sum(files), 0)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes from (
           select files, bytes from storage_usage where user_id = u.id
           union all select files, bytes from storage_deltas where user_id = u.id
         ) as stored
       ) as used
       where u.id = $1`,
      [userId],
    );
    if (!row) return null;
    const { usedFiles, usedBytes, ...own } = row;
    return { own, used: { files: usedFiles, bytes: usedBytes } };
  }

  async findUsed(userId: number, runner: Runner = this.database): Promise<StoredAmount> {
    const [row] = (await runner.query(
      `select coalesce(sum(files), 0)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes from (
         select files, bytes from storage_usage where user_id = $1
         union all select files, bytes from storage_deltas where user_id = $1
       ) as used`,
      [userId],
    )) as StoredAmount[];
    if (!row) throw new Error('A sum has no row');
    return row;
  }

  async findTotal(runner: Runner = this.database): Promise<StoredTotal> {
    const [row] = (await runner.query(
      `select coalesce(sum(files), 0)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes,
              coalesce(sum(variant_bytes), 0)::bigint as "variantBytes"
       from (
         select files, bytes, variant_bytes from storage_total
         union all select files, bytes, variant_bytes from storage_deltas
       ) as stored`,
    )) as StoredTotal[];
    if (!row) throw new Error('A sum has no row');
    return row;
  }

  /** What all media of each kind store together; a kind of which there is nothing is missing. */
  findKinds(): Promise<readonly StoredKind[]> {
    return this.database.query(
      `select kind, sum(files)::bigint as files, sum(bytes)::bigint as bytes,
              sum(variant_bytes)::bigint as "variantBytes"
       from (
         select kind, files, bytes, variant_bytes from storage_kinds
         union all select kind, files, bytes, variant_bytes from storage_deltas where kind is not null
       ) as stored group by kind order by kind`,
    );
  }

  /** The changes of each of the latest `days` days, today included, oldest first. */
  findDays(days: number): Promise<readonly StorageDay[]> {
    return this.database.query(
      `select to_char(${TODAY} - ago, 'YYYY-MM-DD') as day, coalesce(files, 0)::bigint as files,
              coalesce(bytes, 0)::bigint as bytes, coalesce(variant_bytes, 0)::bigint as "variantBytes"
       from generate_series($1::integer - 1, 0, -1) ago
       left join storage_days on day = ${TODAY} - ago order by ago desc`,
      [days],
    );
  }

  /** The `limit` accounts and guests with the most bytes of originals, without the changes that are not folded yet. */
  async findLargest(limit: number): Promise<readonly (Omit<LargeAccount, 'limits'> & { own: OwnQuota })[]> {
    const rows: LargestRow[] = await this.database.query(
      `select u.username, u.kind = 'guest' as "isGuest", s.files, s.bytes, s.variant_bytes as "variantBytes",
              q.files as "ownFiles", q.bytes as "ownBytes"
       from storage_usage s join users u on u.id = s.user_id left join account_quotas q on q.user_id = s.user_id
       where u.deleted_at is null order by s.bytes desc, s.user_id limit $1`,
      [limit],
    );
    return rows.map(({ ownFiles, ownBytes, ...account }) => ({
      ...account,
      own: { isGuest: account.isGuest, files: ownFiles, bytes: ownBytes },
    }));
  }

  /** Takes the lock under which one transaction at a time counts what an account stores. */
  async lockAccount(tx: Transaction, userId: number): Promise<void> {
    await tx.query('select pg_advisory_xact_lock($1, ($2::bigint % 2147483648)::integer)', [LOCKS, userId]);
  }

  /** Takes the lock of the total: `shared` by all who are far from the limit, else by one transaction at a time. */
  async lockTotal(tx: Transaction, mode: 'shared' | 'exclusive'): Promise<void> {
    const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
    await tx.query(`select ${lock}($1, $2)`, [LOCKS, TOTAL_LOCK]);
  }

  /** Changes the quota of an account. */
  async change(tx: Transaction, userId: number, { bytes, files }: QuotaChange): Promise<void> {
    await tx.query(
      `insert into account_quotas as quota (user_id, bytes, files) values ($1, $2, $3)
       on conflict (user_id) do update
       set bytes = case when $4 then excluded.bytes else quota.bytes end,
           files = case when $5 then excluded.files else quota.files end, updated_at = now()`,
      [userId, bytes ?? null, files ?? null, bytes !== undefined, files !== undefined],
    );
  }

  async remove(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from account_quotas where user_id = $1', [userId]);
  }

  /** Adds up to `limit` deltas, oldest first, to the counts; returns how many. */
  async fold(tx: Transaction, limit: number): Promise<number> {
    // One transaction at a time, or two would wait for each other's rows in different orders.
    await tx.query('lock table storage_total in share row exclusive mode');
    const [row] = await tx.query<{ deltas: number; users: number[] }>(
      `with folded as (
         delete from storage_deltas where id in (select id from storage_deltas order by id limit $1)
         returning user_id, kind, files, bytes, variant_bytes
       ), accounts as (
         insert into storage_usage as counted (user_id, files, bytes, variant_bytes)
         select user_id, sum(files), sum(bytes), sum(variant_bytes) from folded
         where user_id is not null group by user_id order by user_id
         on conflict (user_id) do update set files = counted.files + excluded.files,
           bytes = counted.bytes + excluded.bytes, variant_bytes = counted.variant_bytes + excluded.variant_bytes
       ), kinds as (
         insert into storage_kinds as counted (kind, files, bytes, variant_bytes)
         select kind, sum(files), sum(bytes), sum(variant_bytes) from folded where kind is not null group by kind
         on conflict (kind) do update set files = counted.files + excluded.files,
           bytes = counted.bytes + excluded.bytes, variant_bytes = counted.variant_bytes + excluded.variant_bytes
       ), total as (
         insert into storage_total as counted (files, bytes, variant_bytes)
         select sum(files), sum(bytes), sum(variant_bytes) from folded having count(*) > 0
         on conflict (singleton) do update set files = counted.files + excluded.files,
           bytes = counted.bytes + excluded.bytes, variant_bytes = counted.variant_bytes + excluded.variant_bytes
       ), today as (
         ${addToToday('folded')}
       )
       select count(*)::integer as deltas,
              coalesce(array_agg(distinct user_id) filter (where user_id is not null), '{}') as users from folded`,
      [limit],
    );
    if (!row) throw new Error('A count has no row');
    await tx.query(
      `delete from storage_usage
       where user_id = any($1::bigint[]) and files = 0 and bytes = 0 and variant_bytes = 0`,
      [row.users],
    );
    return row.deltas;
  }

  /**
   * Counts everything again, for example after a bulk load. What this changes in the total is a change of today. The
   * transaction must run on a snapshot.
   */
  async recountAll(tx: Transaction): Promise<void> {
    await tx.query('lock table storage_total in share row exclusive mode');
    await tx.query(
      addToToday(
        '(select -files as files, -bytes as bytes, -variant_bytes as variant_bytes from storage_total) as before',
      ),
    );
    for (const table of ['storage_deltas', 'storage_kinds', 'storage_usage', 'storage_total']) {
      await tx.query(`delete from ${table}`);
    }
    await tx.query(
      `insert into storage_usage (user_id, files, bytes, variant_bytes)
       select user_id, sum(files), sum(bytes), sum(variant_bytes) from (${STORED}) as stored
       where user_id is not null group by user_id`,
    );
    await tx.query(
      `insert into storage_total (files, bytes, variant_bytes)
       select coalesce(sum(files), 0), coalesce(sum(bytes), 0), coalesce(sum(variant_bytes), 0)
       from (${STORED}) as stored`,
    );
    await tx.query(
      `insert into storage_kinds (kind, files, bytes, variant_bytes)
       select kind, sum(files), sum(bytes), sum(variant_bytes) from (${STORED}) as stored group by kind`,
    );
    await tx.query(addToToday('storage_total'));
  }

  /** The number of counts that differ from the media. The transaction must run on a snapshot. */
  async countDifferences(tx: Transaction): Promise<StorageCountDifferences> {
    const differing = `having (sum(files), sum(bytes), sum(variant_bytes)) is distinct from (0, 0, 0)`;
    const minus = (rows: string): string =>
      `select user_id, kind, -files as files, -bytes as bytes, -variant_bytes as variant_bytes from (${rows}) as stored`;
    const count = async (sql: string): Promise<number> => {
      const [row] = await tx.query<{ rows: number }>(
        `select count(*)::integer as rows from (${sql}) as differing`,
      );
      return row?.rows ?? 0;
    };
    const amounts = 'files, bytes, variant_bytes';
    return {
      accounts: await count(
        `select user_id from (
           ${minus(STORED)} union all select user_id, null, ${amounts} from storage_usage
           union all select user_id, null, ${amounts} from storage_deltas
         ) as summed where user_id is not null group by user_id ${differing}`,
      ),
      kinds: await count(
        `select kind from (
           ${minus(STORED)} union all select null, kind, ${amounts} from storage_kinds
           union all select null, kind, ${amounts} from storage_deltas
         ) as summed where kind is not null group by kind ${differing}`,
      ),
      total: await count(
        `select 1 from (
           ${minus(STORED)} union all select null, null, ${amounts} from storage_total
           union all select user_id, kind, ${amounts} from storage_deltas
         ) as summed having (coalesce(sum(files), 0), coalesce(sum(bytes), 0), coalesce(sum(variant_bytes), 0))
           <> (0, 0, 0)`,
      ),
    };
  }

  private async findAllOwn(userIds: readonly number[], tx?: Transaction): Promise<(OwnQuota | null)[]> {
    type Row = OwnQuota & { readonly id: number };
    const text = `select u.id, u.kind = 'guest' as "isGuest", q.bytes, q.files
       from users u left join account_quotas q on q.user_id = u.id
       where u.id = any(${hiddenFromPlanner('$1::bigint[]')}::bigint[])`;
    const values = [[...new Set(userIds)]];
    const rows = tx
      ? await tx.query<Row>(text, values, { prepared: true })
      : await this.database.read<Row>(text, values);
    const found = new Map(rows.map(({ id, ...own }) => [id, own]));
    return userIds.map((userId) => found.get(userId) ?? null);
  }
}
