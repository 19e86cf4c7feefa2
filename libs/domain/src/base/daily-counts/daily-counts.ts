import { hiddenFromPlanner, Database, type Transaction } from '@vitrine/database';
import DataLoader from 'dataloader';
import { BATCHED_READS } from '../queries/batched-reads';

/** A table with one count for each key and UTC day; `(key, day)` is its primary key. */
export interface DailyCountTable {
  readonly name: string;
  /** The column that says for whom is counted. */
  readonly key: string;
  /** The column with the count. */
  readonly count: string;
}

/** Today, in the form of the column `day`. */
export const UTC_DAY = `(now() at time zone 'utc')::date`;

/** Counts by key and UTC day, in a table of the feature that extends this class: its only writer. */
export abstract class DailyCounts {
  private readonly today = new DataLoader(
    (keys: readonly string[]) => this.findAllToday(keys),
    BATCHED_READS,
  );

  protected constructor(
    protected readonly database: Database,
    private readonly table: DailyCountTable,
  ) {}

  /**
   * Adds `by` to today's count of `key`; returns false, and changes nothing, if the count would exceed `limit`.
   * Simultaneous calls wait for each other on the row, so the limit is exact.
   */
  async countWithin(tx: Transaction, key: string, limit: number, by = 1): Promise<boolean> {
    const { name, key: keyColumn, count } = this.table;
    return tx.affects(
      `insert into ${name} as counted (${keyColumn}, day, ${count})
       select $1, ${UTC_DAY}, $3::integer where $3 <= $2
       on conflict (${keyColumn}, day) do update set ${count} = counted.${count} + $3
         where counted.${count} + $3 <= $2
       returning ${count}`,
      [key, limit, by],
      { prepared: true },
    );
  }

  /** Adds `by` to today's count of `key`, whatever the limit. */
  async countMore(key: string, by: number): Promise<void> {
    const { name, key: keyColumn, count } = this.table;
    await this.database.write(
      `insert into ${name} as counted (${keyColumn}, day, ${count}) values ($1, ${UTC_DAY}, $2)
       on conflict (${keyColumn}, day) do update set ${count} = counted.${count} + $2`,
      [key, by],
    );
  }

  /** Today's count of `key`. */
  findToday(key: string): Promise<number> {
    return this.today.load(key);
  }

  /** Removes at most `limit` counts that are more than `days` days old (null: all of them); returns how many. */
  async removeBefore(tx: Transaction, days: number, limit: number | null = null): Promise<number> {
    const { name } = this.table;
    const rows = await tx.query<{ removed: number }>(
      `with removed as (
         delete from ${name} where ctid = any (array(
           select ctid from ${name} where day < ${UTC_DAY} - $1::integer limit $2 for update skip locked))
         returning 1
       ) select count(*)::integer as removed from removed`,
      [days, limit],
    );
    return rows[0]?.removed ?? 0;
  }

  private async findAllToday(keys: readonly string[]): Promise<number[]> {
    const { name, key: keyColumn, count } = this.table;
    const rows = await this.database.read<{ key: string; count: number }>(
      `select ${keyColumn} as key, ${count} as count from ${name}
       where ${keyColumn} = any(${hiddenFromPlanner('$1::text[]')}::text[]) and day = ${UTC_DAY}`,
      [[...new Set(keys)]],
    );
    const counts = new Map(rows.map(({ key, count }) => [key, count]));
    return keys.map((key) => counts.get(key) ?? 0);
  }
}
