import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { createTestDatabase, eventually, type TestDatabase, untilBlocked } from '@vitrine/testing';
import { Client } from 'pg';
import { describeEventVersions } from '@vitrine/messaging/contract/event-versions.contract';
import { describeTransport, type TransportHarness } from '@vitrine/messaging/contract/transport.contract';
import { PostgresTransport } from './postgres-transport';

async function asAdmin<Result>(url: string, work: (admin: Client) => Promise<Result>): Promise<Result> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

describeTransport('PostgresTransport', async (): Promise<TransportHarness> => {
  const database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const postgres = new URL(database.url);
  postgres.pathname = '/postgres';
  const allow = (connections: boolean): Promise<unknown> =>
    asAdmin(postgres.toString(), (admin) =>
      admin.query(`alter database ${name} with allow_connections ${connections}`),
    );
  return {
    url: database.url,
    childProgram: join(__dirname, 'postgres-consumer.child.ts'),
    create: (options) => new PostgresTransport({ url: database.url, name: 'contract', ...options }),
    createUnreachable: (options) =>
      new PostgresTransport({ url: 'postgresql://nobody@127.0.0.1:1/none', name: 'contract', ...options }),
    outage: async () => {
      await allow(false);
      await asAdmin(postgres.toString(), (admin) =>
        admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]),
      );
      return async () => void (await allow(true));
    },
    stop: () => database.drop(),
  };
});

describe('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  describeEventVersions('PostgreSQL', () => new PostgresTransport({ url: database.url, name: 'versions' }));
});

describe('PostgresTransport', () => {
  const role = `bus_${randomUUID().slice(0, 8)}`;
  let database: TestDatabase;
  let transport: PostgresTransport;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await transport.close();
    await database.drop();
  });
  afterAll(() =>
    asAdmin(process.env['VITRINE_TEST_POSTGRES_URL'] ?? '', (admin) =>
      admin.query(`drop role if exists ${role}`),
    ),
  );

  const envelope = (type: string): Parameters<PostgresTransport['publish']>[0] => ({
    id: randomUUID(),
    type,
    version: 1,
    occurred_at: new Date().toISOString(),
    correlation_id: randomUUID(),
    data: {},
  });

  it('needs rights on the schema bus only', async () => {
    await asAdmin(database.url, (admin) =>
      admin.query(`
        create role ${role} login password 'secret';
        grant usage on schema bus to ${role};
        grant select, insert, update, delete on all tables in schema bus to ${role};
        grant usage on all sequences in schema bus to ${role};`),
    );
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';
    transport = new PostgresTransport({ url: url.toString(), name: 'restricted' });
    await transport.declare([{ name: 'a.x', routingKey: 'x' }]);
    await transport.publish(envelope('x'));
    const attempts: number[] = [];

    const subscription = await transport.consume('a.x', 1, async (delivery) => {
      attempts.push(delivery.attempt);
      if (delivery.attempt < 3) await delivery.retryLater(1);
      else await delivery.deadLetter('Enough');
    });

    await eventually(async () => expect(await transport.depth('a.x')).toEqual({ waiting: 0, dead: 1 }));
    await subscription.drain();
    expect(attempts).toEqual([1, 2, 3]);
    const [letter] = await transport.listDeadLetters();
    expect(await transport.replayDeadLetter(letter?.id ?? '')).toBe(true);
    const held = new Promise<void>((resolve) => {
      void transport.consume('a.x', 1, async (delivery) => {
        await delivery.acknowledge();
        resolve();
      });
    });
    await held;
    await expect(
      asAdmin(url.toString(), (restricted) => restricted.query('select * from outbox')),
    ).rejects.toThrow('permission denied');
    await asAdmin(database.url, (admin) => admin.query(`drop owned by ${role}`));
  });

  it('declares a queue again if another transaction has made its own one fail', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await asAdmin(database.url, async (other) => {
      await other.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
      await other.query(`begin; insert into bus.queues (name, routing_key) values ('a.x', 'x')`);
      transport = new PostgresTransport({ url: database.url, name: 'late' });
      const declared = transport.declare([{ name: 'a.x', routingKey: 'x' }]);
      await untilBlocked({
        query: <Rows>(sql: string) =>
          asAdmin(database.url, async (admin) => (await admin.query(sql)).rows as Rows),
      });
      await other.query('commit');

      await declared;
    });
  });

  it('finds a message whose notification was lost', async () => {
    transport = new PostgresTransport({ url: database.url, name: 'poller' });
    await transport.declare([{ name: 'a.x', routingKey: 'x' }]);
    const seen: string[] = [];
    await transport.consume('a.x', 1, async (delivery) => {
      seen.push(delivery.envelope.id);
      await delivery.acknowledge();
    });
    const quiet = envelope('x');

    await asAdmin(database.url, (admin) =>
      admin.query('insert into bus.messages (queue, envelope) values ($1, $2)', [
        'a.x',
        JSON.stringify(quiet),
      ]),
    );

    await eventually(() => expect(seen).toEqual([quiet.id]));
  });

  it('publishes although its connection is reset meanwhile', async () => {
    const wire = await startWire(database.url);
    transport = new PostgresTransport({ url: wire.url, name: 'publisher' });
    await transport.declare([{ name: 'a.x', routingKey: 'x' }]);

    let published: Promise<void> | undefined;
    await asAdmin(database.url, async (admin) => {
      await admin.query('begin');
      await admin.query('lock table bus.messages');
      published = transport.publish(envelope('x'));
      await eventually(async () => {
        const { rowCount } = await admin.query(
          `select from pg_stat_activity
           where datname = current_database() and application_name = 'vitrine-bus publisher' and wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBeGreaterThan(0);
      });
      wire.reset();
      await admin.query('commit');
    });

    await published;
    expect(await transport.depth('a.x')).toMatchObject({ dead: 0 });
    wire.close();
  });

  it('does not count an attempt during which only the connection was lost', async () => {
    transport = new PostgresTransport({ url: database.url, name: 'survivor' });
    await transport.declare([{ name: 'a.x', routingKey: 'x' }]);
    const attempts: number[] = [];

    await transport.consume('a.x', 1, async (delivery) => {
      attempts.push(delivery.attempt);
      if (attempts.length < 4) {
        await asAdmin(database.url, (admin) =>
          admin.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'vitrine-bus survivor'`,
          ),
        );
      }
      await delivery.acknowledge();
    });
    await transport.publish(envelope('x'));

    await eventually(async () => expect(await transport.depth('a.x')).toEqual({ waiting: 0, dead: 0 }));
    await eventually(() => expect(attempts).toHaveLength(4));
    expect(attempts).toEqual([1, 1, 1, 1]);
  });

  it('leaves no timer for messages that are due after its drain', async () => {
    transport = new PostgresTransport({ url: database.url, name: 'drained' });
    await transport.declare([{ name: 'a.x', routingKey: 'x' }]);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const [postponed, retried] = [123_456, 123_457];
    let inProgress = 0;
    const subscription = await transport.consume('a.x', 2, async (delivery) => {
      const first = ++inProgress === 1;
      await held;
      await (first ? delivery.postpone(postponed) : delivery.retryLater(retried));
    });
    await Promise.all([transport.publish(envelope('x')), transport.publish(envelope('x'))]);
    await eventually(() => expect(inProgress).toBe(2));
    const timers = jest.spyOn(globalThis, 'setTimeout');

    const drained = subscription.drain();
    goOn();
    await drained;

    const delays = timers.mock.calls.map(([, delay]) => delay);
    timers.mockRestore();
    expect(delays).not.toContain(postponed);
    expect(delays).not.toContain(retried);
    expect(await transport.depth('a.x')).toEqual({ waiting: 2, dead: 0 });
  });

  it('leaves no row behind', async () => {
    transport = new PostgresTransport({ url: database.url, name: 'tidy' });
    await transport.declare([{ name: 'a.x', routingKey: 'x' }]);
    await Promise.all(Array.from({ length: 50 }, () => transport.publish(envelope('x'))));

    await transport.consume('a.x', 10, (delivery) => delivery.acknowledge());

    await eventually(() =>
      asAdmin(database.url, async (admin) => {
        const { rows } = await admin.query('select count(*)::int as n from bus.messages');
        expect(rows).toEqual([{ n: 0 }]);
      }),
    );
  });
});

/** A proxy in front of a database whose connections can be reset. */
async function startWire(databaseUrl: string): Promise<{ url: string; reset(): void; close(): void }> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname);
    ends.add(near);
    far.on('error', () => undefined).on('close', () => near.destroy());
    near.on('error', () => undefined).on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const reset = (): void => {
    for (const end of ends) end.resetAndDestroy();
    ends.clear();
  };
  return {
    url: url.toString(),
    reset,
    close: () => {
      server.close();
      reset();
    },
  };
}
