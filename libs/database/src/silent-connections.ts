import { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';

/**
 * Ends every connection of the pool that is in use and on which nothing has come or gone for `silenceMs`: its server
 * has vanished without a word (a lost machine, a firewall that forgot the connection), and TCP alone would wait for a
 * quarter of an hour. Its query fails as a lost connection, and the pool makes another.
 */
export function endSilentConnections(pool: Pool, silenceMs: number): void {
  const watched = new WeakSet<Socket>();
  pool.on('acquire', (client) => {
    const socket = socketOf(client);
    if (!socket) return;
    if (!watched.has(socket)) {
      watched.add(socket);
      // Whoever uses it learns from the failure of what was asked; the event alone must not end the process.
      client.on('error', () => undefined);
      socket.on('timeout', () =>
        socket.destroy(new Error(`Connection terminated: PostgreSQL was silent for ${silenceMs} ms`)),
      );
    }
    socket.setTimeout(silenceMs);
  });
  pool.on('release', (_error, client) => socketOf(client)?.setTimeout(0));
}

/** Lets a connection that is in use be silent for as long as its statements take, until it is given back. */
export const allowSilence = (client: PoolClient): void => void socketOf(client)?.setTimeout(0);

function socketOf(client: PoolClient): Socket | undefined {
  const { stream } = client.connection;
  return stream instanceof Socket ? stream : undefined;
}
