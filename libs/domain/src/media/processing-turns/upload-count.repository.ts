import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import { DailyCounts, UTC_DAY } from '../../base/daily-counts/daily-counts';
import { OVERRUN_UPLOADS } from './processing-turns.rules';

/** The files that each user, or each address of guests, uploaded on a UTC day. */
@Injectable()
export class UploadCountRepository extends DailyCounts {
  constructor(database: Database) {
    super(database, { name: 'upload_counts', key: 'subject', count: 'files' });
  }

  /** Adds the cost of a file of `subject` that exceeded its time to today's count. */
  async countOverrun(tx: Transaction, subject: string): Promise<void> {
    // The file itself is already counted, even if that was on the day before.
    await tx.query(
      `insert into upload_counts as counted (subject, day, files, overran_at) values ($1, ${UTC_DAY}, $2, now())
       on conflict (subject, day) do update set files = counted.files + $2, overran_at = now()`,
      [subject, OVERRUN_UPLOADS - 1],
    );
  }
}
