import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Pool } from 'pg';
import { allowSilence, endSilentConnections } from './silent-connections';

/** A proxy in front of the tests' PostgreSQL that can stop transferring without closing its connections. */
async function startWire(): Promise<{ url: string; server: Server; stopTransfer(): void; close(): void }> {
  const url = new URL(process.env['VITRINE_TEST_POSTGRES_URL'] ?? '');
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const sockets = new Set<Socket>();
  let silent = false;
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname);
    sockets.add(near).add(far);
    near.on('error', () => undefined).on('data', (bytes) => silent || far.write(bytes));
    far.on('error', () => undefined).on('data', (bytes) => silent || near.write(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    server,
    stopTransfer: () => (silent = true),
    close: () => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}

describe('endSilentConnections', () => {
  it('closes a connection that is asked and answers nothing, and no idle or busy one', async () => {
    const wire = await startWire();
    const pool = new Pool({ connectionString: wire.url, max: 2 });
    const lost: string[] = [];
    pool.on('error', ({ message }) => lost.push(message));
    endSilentConnections(pool, 3_000);
    const [one, other] = [await pool.connect(), await pool.connect()];
    try {
      one.on('error', ({ message }) => lost.push(message));
      other.release();
      // It takes longer than the patience, but is never silent for that long.
      for (let part = 0; part < 7; part++) await one.query('select pg_sleep(0.5)');
      wire.stopTransfer();

      await expect(one.query('select 1')).rejects.toThrow('Connection terminated');

      expect(lost).toEqual(['Connection terminated: PostgreSQL was silent for 3000 ms']);
      one.release();
      expect(pool.totalCount).toBe(0);
    } finally {
      wire.close();
    }
    await pool.end();
  });

  it('does not close a connection whose bytes came while this process paused', async () => {
    const pool = new Pool({ connectionString: process.env['VITRINE_TEST_POSTGRES_URL'], max: 2 });
    endSilentConnections(pool, 300);
    const [one, other] = [await pool.connect(), await pool.connect()];
    other.release();
    try {
      const answer = one.query('select 1 as value');
      await new Promise(setImmediate);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
      expect((await answer).rows).toEqual([{ value: 1 }]);
      // Until the connection would have been closed.
      await pool.query('select 1');
      expect((await one.query('select 2 as value')).rows).toEqual([{ value: 2 }]);
    } finally {
      one.release();
      await pool.end();
    }
  });

  it('does not close a connection that is exempt', async () => {
    const wire = await startWire();
    const pool = new Pool({ connectionString: wire.url, max: 1 });
    endSilentConnections(pool, 50);
    try {
      const client = await pool.connect();
      allowSilence(client);
      await client.query('select pg_sleep(0.2)');
      client.release();
    } finally {
      await pool.end();
      wire.close();
    }
  });
});
