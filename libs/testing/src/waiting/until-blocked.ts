import type { DataSource } from 'typeorm';
import { eventually } from './eventually';

/** Waits until this many sessions of the database, no more and no fewer, wait for locks that others hold. */
export const untilBlocked = (database: Pick<DataSource, 'query'>, sessions = 1): Promise<void> =>
  eventually(async () => {
    const waiting = await database.query<unknown[]>(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting.length !== sessions)
      throw new Error(`${waiting.length} sessions wait for locks, not ${sessions}`);
  });
