import { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';

/**
 * Closes each connection of the pool that is in use and has transferred nothing for `silenceMs` milliseconds: its server has
 * disappeared without closing it (a lost machine, a firewall that dropped the connection). TCP would notice this only after a
 * quarter of an hour. The query fails with a lost connection, and the pool opens another connection.
 */
export function endSilentConnections(pool: Pool, silenceMs: number): void {
  const watched = new WeakSet<Socket>();
  pool.on('acquire', (client) => {
    const socket = socketOf(client);
    if (!socket) return;
    if (!watched.has(socket)) {
      watched.add(socket);
      // The query fails too; the event must not end the process.
      client.on('error', () => undefined);
      socket.on('timeout', () =>
        socket.destroy(new Error(`Connection terminated: PostgreSQL was silent for ${silenceMs} ms`)),
      );
    }
    socket.setTimeout(silenceMs);
  });
  pool.on('release', (_error, client) => socketOf(client)?.setTimeout(0));
}

/** Exempts a connection until it is released to the pool, so that its statements may take any time. */
export const allowSilence = (client: PoolClient): void => void socketOf(client)?.setTimeout(0);

function socketOf(client: PoolClient): Socket | undefined {
  const { stream } = client.connection;
  return stream instanceof Socket ? stream : undefined;
}
