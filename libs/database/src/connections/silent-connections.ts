import { Socket } from 'node:net';
import { SingleFlight, waitAtMost } from '@vitrine/concurrency';
import type { Pool, PoolClient } from 'pg';

/** A server that doesn't answer a small query on another connection within this time has disappeared. */
const ANSWER_WITHIN_MS = 5_000;

/**
 * Closes each connection of the pool that is in use and has transferred nothing for `silenceMs` milliseconds: its server has
 * disappeared without closing it (a lost machine, a firewall that dropped the connection). TCP would notice this only after a
 * quarter of an hour. The query fails with a lost connection, and the pool opens another connection.
 *
 * A connection whose COMMIT waits for a standby stays open. If it were closed, its session in PostgreSQL would still wait, and
 * a new connection would add another session.
 */
export function endSilentConnections(pool: Pool, silenceMs: number): void {
  const watched = new WeakSet<Socket>();
  // All silent connections share one question, because the connection that asks may be silent too.
  const question = new SingleFlight(() => commitsWait(pool, silenceMs));
  pool.on('acquire', (client) => {
    const socket = socketOf(client);
    if (!socket) return;
    if (!watched.has(socket)) {
      watched.add(socket);
      // The query fails too; the event must not end the process.
      client.on('error', () => undefined);
      socket.on('timeout', () => {
        // First, because the connection may be released before the answer.
        socket.setTimeout(silenceMs);
        // After a pause of this process, the timeout fires before the bytes that came meanwhile are read.
        const { bytesRead } = socket;
        void question.run().then((wait) => {
          if (wait || socket.bytesRead > bytesRead) return;
          socket.destroy(new Error(`Connection terminated: PostgreSQL was silent for ${silenceMs} ms`));
        });
      });
    }
    socket.setTimeout(silenceMs);
  });
  pool.on('release', (_error, client) => socketOf(client)?.setTimeout(0));
}

/** Whether the server answers, and sessions have waited for a synchronous standby for about as long as `silenceMs`. */
async function commitsWait(pool: Pool, silenceMs: number): Promise<boolean> {
  let wait = false;
  const answer = pool
    .query<{ wait: boolean }>(
      `select exists (select from pg_stat_activity where wait_event = 'SyncRep'
         and query_start < now() - $1 * interval '1 ms') as wait`,
      [silenceMs / 2],
    )
    .then(({ rows }) => (wait = rows[0]?.wait ?? false));
  await waitAtMost(ANSWER_WITHIN_MS, answer).catch(() => false);
  return wait;
}

/** Exempts a connection until it is released to the pool, so that its statements may take any time. */
export const allowSilence = (client: PoolClient): void => void socketOf(client)?.setTimeout(0);

function socketOf(client: PoolClient): Socket | undefined {
  const { stream } = client.connection;
  return stream instanceof Socket ? stream : undefined;
}
