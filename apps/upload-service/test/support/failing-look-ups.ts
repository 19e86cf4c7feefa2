import type { Pool } from 'pg';

/**
 * Sends a request for a file while media can't be read, and cancels each statement that looks up files. Returns the
 * number of these statements, and the answer.
 */
export async function failLookUps(
  database: Pool,
  send: () => Promise<Response>,
): Promise<{ readonly lookUps: number; readonly answer: Response }> {
  const locker = await database.connect();
  try {
    await locker.query('begin; lock table media in access exclusive mode');
    let answer: Response | undefined;
    const sent = send().then((received) => (answer = received));
    const cancelled = new Set<string>();
    while (!answer) {
      const { rows } = await database.query<{ statement: string }>(
        `select pid || ' ' || query_start as statement, pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%where m.slug = any%'
           and pid <> pg_backend_pid()`,
      );
      for (const { statement } of rows) cancelled.add(statement);
    }
    return { lookUps: cancelled.size, answer: await sent };
  } finally {
    await locker.query('rollback');
    locker.release();
  }
}
