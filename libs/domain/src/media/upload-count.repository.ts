import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Transaction } from '@vitrine/database';
import type { DataSource } from 'typeorm';
import { OVERRUN_UPLOADS } from './processing-turns.rules';

/** Every query on the table `upload_counts`. */
@Injectable()
export class UploadCountRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Counts one file of `subject` on the current UTC day, unless `limit` are counted already: then false. Two
   * uploads at once wait for each other on the row, so the limit is exact.
   */
  async countOne(tx: Transaction, subject: string, limit: number): Promise<boolean> {
    const rows = await tx.query(
      `insert into upload_counts as counted (subject, day, files)
       select $1, (now() at time zone 'utc')::date, 1 where $2 > 0
       on conflict (subject, day) do update set files = counted.files + 1 where counted.files < $2
       returning files`,
      [subject, limit],
    );
    return rows.length > 0;
  }

  /** Files of `subject` counted on the current UTC day. */
  async findToday(subject: string): Promise<number> {
    const [row]: { files: number }[] = await this.dataSource.query(
      `select files from upload_counts where subject = $1 and day = (now() at time zone 'utc')::date`,
      [subject],
    );
    return row?.files ?? 0;
  }

  /** Counts `files` more for `subject` on the current UTC day, whatever the limit. */
  async countMore(subject: string, files: number): Promise<void> {
    await this.dataSource.query(
      `insert into upload_counts as counted (subject, day, files)
       values ($1, (now() at time zone 'utc')::date, $2)
       on conflict (subject, day) do update set files = counted.files + $2`,
      [subject, files],
    );
  }

  /** Counts, on the current UTC day, the cost of a file of `subject` that exceeded its time. */
  async countOverrun(tx: Transaction, subject: string): Promise<void> {
    // The file itself is counted already, even if that was on the day before.
    await tx.query(
      `insert into upload_counts as counted (subject, day, files, overran_at)
       values ($1, (now() at time zone 'utc')::date, $2, now())
       on conflict (subject, day) do update set files = counted.files + $2, overran_at = now()`,
      [subject, OVERRUN_UPLOADS - 1],
    );
  }

  /** Forgets what is more than `days` days old, in UTC; returns how many counts that were. */
  async removeBefore(tx: Transaction, days: number): Promise<number> {
    const rows = await tx.query<{ removed: number }>(
      `with gone as (
         delete from upload_counts where day < (now() at time zone 'utc')::date - $1::integer returning 1
       ) select count(*)::integer as removed from gone`,
      [days],
    );
    return rows[0]?.removed ?? 0;
  }
}
