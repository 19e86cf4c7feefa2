import { Logger } from '@nestjs/common';
import {
  defineEvent,
  mediaOverran,
  mediaModerated,
  type EventDefinition,
  type MediaModerated,
} from '@vitrine/contracts';
import { DatabaseConfig, type Transaction, Database } from '@vitrine/database';
import { loadConfig } from '@vitrine/runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { buildEnvelope, EventPublisher, PublicationMetrics, queuesOf } from '@vitrine/messaging';
import { PostgresTransport } from '../postgres-bus/postgres-transport';
import { Outbox, OUTBOX_CHANNEL } from '../outbox/outbox';
import { OutboxRelay } from './outbox-relay';

const ROUNDS = 12;
const QUEUE = 'upload-service.media.overran';

/** On a busy machine a few rounds may take seconds. */
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length / 2]!;

describe('OutboxRelay', () => {
  let database: TestDatabase;
  let source: DataSource;
  let connection: Database;
  let bus: PostgresTransport;
  let outbox: Outbox;
  const opened: { relay: OutboxRelay; transport: PostgresTransport; metrics: Registry }[] = [];

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    database = await createTestDatabase();
    source = await new DataSource({
      type: 'postgres',
      url: database.url,
      installExtensions: false,
    }).initialize();
    connection = new Database(source);
    outbox = new Outbox(connection);
    bus = new PostgresTransport({ url: database.url, name: 'observer' });
    await bus.declare(queuesOf([mediaOverran]));
  });
  afterEach(async () => {
    for (const { relay, transport } of opened.splice(0)) {
      await relay.onApplicationShutdown();
      await transport.close();
    }
    await bus.close();
    await source.destroy();
    await database.drop();
  });

  /**
   * A publication that has timed out may still have arrived, and is then repeated. So only tests of outages set a
   * short timeout.
   */
  const start = async (
    busUrl = database.url,
    publishTimeoutMs?: number,
    own = new Outbox(connection),
  ): Promise<(typeof opened)[number]> => {
    const transport = new PostgresTransport({ url: busUrl, name: 'relay', publishTimeoutMs });
    const metrics = new Registry();
    const relay = new OutboxRelay(
      loadConfig(DatabaseConfig, { DATABASE_URL: database.url }),
      connection,
      transport,
      new EventPublisher(transport, new PublicationMetrics(metrics)),
      own,
      metrics,
    );
    void transport.connect().catch(() => undefined);
    relay.onModuleInit();
    const started = { relay, transport, metrics };
    opened.push(started);
    return started;
  };
  const add = <Data>(event: EventDefinition<string, Data>, data: Data, to = outbox): Promise<void> =>
    connection.transaction((tx: Transaction) => to.add(tx, event, data));
  const addDeleted = (count: number): Promise<void[]> =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        add(mediaOverran, { media_id: n, slug: `slug${n}`, took_ms: 1 }),
      ),
    );
  const rows = async (): Promise<number> => {
    const [row] = await source.query<{ n: number }[]>('select count(*)::int as n from outbox');
    return row?.n ?? -1;
  };
  const metric = async (metrics: Registry, name: string): Promise<string | undefined> =>
    (await metrics.metrics()).split('\n').find((line) => line.startsWith(name));

  // A relay that only looks finds one in five seconds.
  it.each(['the same process', 'a process without a relay'])(
    'publishes the events of %s immediately',
    async (process) => {
      const own = new Outbox(connection);
      const { relay } = await start(database.url, undefined, own);
      await relay.processAll();
      const listener = new Client({ connectionString: database.url });
      await listener.connect();
      await listener.query(`listen ${OUTBOX_CHANNEL}`);
      let notifications = 0;
      listener.on('notification', () => notifications++);
      const isOwn = process === 'the same process';
      const delays: number[] = [];

      for (let waiting = 1; waiting <= ROUNDS; waiting++) {
        const begun = performance.now();
        await add(mediaOverran, { media_id: waiting, slug: 'abcdefg', took_ms: 1 }, isOwn ? own : outbox);
        await eventually(async () => expect(await bus.depth(QUEUE)).toEqual({ waiting, dead: 0 }));
        delays.push(performance.now() - begun);
      }

      expect(median(delays)).toBeLessThan(500);
      await eventually(async () => expect(await rows()).toBe(0));
      await listener.query('select 1');
      expect(notifications > 0).toBe(!isOwn);
      await listener.end();
    },
  );

  it('leaves the events of a process until its clients have their answers, but not for long', async () => {
    const own = new Outbox(connection);
    const { relay } = await start(database.url, undefined, own);
    await relay.processAll();
    /** Milliseconds until an event is published that was added during `answering`. */
    const delay = async (waiting: number, answering: Promise<void>): Promise<number> => {
      const begun = performance.now();
      void own.answerFirst(async () => {
        await add(mediaOverran, { media_id: waiting, slug: 'abcdefg', took_ms: 1 }, own);
        await answering;
      });
      await eventually(async () => expect(await bus.depth(QUEUE)).toEqual({ waiting, dead: 0 }));
      return performance.now() - begun;
    };

    const answered: number[] = [];
    for (let waiting = 1; waiting <= ROUNDS; waiting++)
      answered.push(await delay(waiting, Promise.resolve()));
    const neverAnswered = await delay(ROUNDS + 1, new Promise(() => undefined));

    expect(neverAnswered).toBeGreaterThanOrEqual(500);
    expect(median(answered)).toBeLessThan(500);
  });

  // Promise [webhooks]: A transaction that was rolled back publishes nothing.
  it('publishes nothing of a transaction that was rolled back', async () => {
    const { relay } = await start();
    await expect(
      connection.transaction(async (tx) => {
        await outbox.add(tx, mediaOverran, { media_id: 5, slug: 'abcdefg', took_ms: 1 });
        throw new Error('No');
      }),
    ).rejects.toThrow('No');

    await relay.processAll();

    expect(await bus.depth(QUEUE)).toEqual({ waiting: 0, dead: 0 });
  });

  it('publishes within its interval what no process has told it of', async () => {
    const { relay } = await start();
    await relay.processAll();
    await source.query(`insert into outbox (envelope) values ($1)`, [
      JSON.stringify(buildEnvelope(mediaOverran, { media_id: 1, slug: 'abcdefg', took_ms: 1 })),
    ]);

    await eventually(async () => expect(await bus.depth(QUEUE)).toEqual({ waiting: 1, dead: 0 }), 8_000);
  });

  it('publishes the rows of a process that died after their commit', async () => {
    const { relay } = await start();
    await relay.processAll();
    const dead = new Outbox(connection);
    dead.givesTo(() => undefined);
    await add(mediaOverran, { media_id: 1, slug: 'abcdefg', took_ms: 1 }, dead);

    expect(
      await source.query(`select retry_at > created_at + interval '1 second' as is_left from outbox`),
    ).toEqual([{ is_left: true }]);
    await eventually(async () => expect(await bus.depth(QUEUE)).toEqual({ waiting: 1, dead: 0 }), 8_000);
  });

  it('does not publish from memory what has waited there until it was due', async () => {
    const own = new Outbox(connection);
    const { relay } = await start(database.url, undefined, own);
    await relay.processAll();
    const blocker = new Client({ connectionString: database.url });
    await blocker.connect();
    const publications = (waiting: number): Promise<void> =>
      eventually(async () => {
        const { rowCount } = await blocker.query(
          `select from pg_locks join pg_database d on d.oid = database
           where datname = current_database() and relation = 'bus.messages'::regclass and not granted`,
        );
        expect(rowCount).toBe(waiting);
      }, 8_000);
    await blocker.query('begin; lock table bus.messages in exclusive mode');
    await add(mediaOverran, { media_id: 1, slug: 'abcdefg', took_ms: 1 }, own);
    await publications(1);
    await add(mediaOverran, { media_id: 2, slug: 'bcdefgh', took_ms: 1 }, own);
    await publications(2);

    await blocker.query('commit');
    await blocker.end();

    await eventually(async () => expect(await rows()).toBe(0));
    await relay.processAll();
    const sent = await source.query(`select from bus.messages where envelope->'data'->>'media_id' = '2'`);
    expect(sent).toHaveLength(1);
  });

  it('shares the rows with other relays, and publishes each once', async () => {
    await addDeleted(600);
    const relays = await Promise.all([start(), start(), start()]);

    await Promise.all(relays.map(({ relay }) => relay.processAll()));

    await eventually(async () => expect(await rows()).toBe(0));
    expect(await bus.depth(QUEUE)).toEqual({ waiting: 600, dead: 0 });
    const letters = await source.query<{ n: number }[]>(
      `select count(distinct envelope->>'id')::int as n from bus.messages`,
    );
    expect(letters).toEqual([{ n: 600 }]);
  });

  it('keeps the rows while the bus is unreachable, and measures their age', async () => {
    await addDeleted(3);
    const away = await start('postgresql://nobody@127.0.0.1:1/none', 300);

    await eventually(async () => expect(away.transport.healthy()).toBe(false));
    await eventually(async () =>
      expect(
        Number((await metric(away.metrics, 'vitrine_outbox_oldest_seconds '))?.split(' ')[1]),
      ).toBeGreaterThan(0),
    );
    expect(await rows()).toBe(3);

    const back = await start();
    await back.relay.processAll();

    expect(await rows()).toBe(0);
    expect(await metric(back.metrics, 'vitrine_outbox_published_total')).toBe(
      'vitrine_outbox_published_total 3',
    );
    expect(await metric(back.metrics, 'vitrine_outbox_oldest_seconds ')).toBe(
      'vitrine_outbox_oldest_seconds 0',
    );
  });

  it('keeps and reports an event that no queue takes, and publishes the others', async () => {
    const unknown = defineEvent<object>()('unknown.event', 1, { consumers: ['somebody'] });
    await add(unknown, {});
    await addDeleted(2);
    const { relay, metrics } = await start();

    await relay.processAll();

    expect(await bus.depth(QUEUE)).toEqual({ waiting: 2, dead: 0 });
    expect(await rows()).toBe(1);
    expect(await metric(metrics, 'vitrine_outbox_failed_total')).toBe(
      'vitrine_outbox_failed_total{reason="unroutable"} 1',
    );

    await bus.declare([{ name: 'somebody.unknown.event', routingKey: 'unknown.event' }]);
    await eventually(async () => expect(await rows()).toBe(0));
    expect(await bus.depth('somebody.unknown.event')).toEqual({ waiting: 1, dead: 0 });
  });

  it('drops an event without consumers if no queue takes it', async () => {
    const data: MediaModerated = {
      media_id: 1,
      slug: 'abcdefg',
      sequence: 2,
      kind: 'image',
      owner: null,
      decision_id: 1,
      from: 'pending',
      to: 'approved',
      reason: 'classifier_safe',
      decided_by: 'system',
    };
    await add(mediaModerated, data);
    const { relay } = await start();

    await relay.processAll();

    expect(await rows()).toBe(0);
  });

  it.each([
    [
      'the session of the bus',
      'postgresql:',
      'vitrine-bus relay',
      ['vitrine-bus observer', 'vitrine-bus relay'],
    ],
    [
      'its own session',
      'postgres:',
      'vitrine-relay',
      ['vitrine-bus observer', 'vitrine-bus relay', 'vitrine-relay'],
    ],
  ])('listens on %s, and continues after this was cut', async (_what, scheme, name, sessions) => {
    const { relay } = await start(database.url.replace('postgresql:', scheme));
    await relay.processAll();
    const listening = (): Promise<{ name: string; pid: number }[]> =>
      source.query(
        `select application_name as name, pid from pg_stat_activity
         where datname = current_database() and query ilike 'listen%' order by 1`,
      );
    await eventually(async () => expect((await listening()).map((each) => each.name)).toEqual(sessions));
    await source.query('select pg_terminate_backend($1)', [
      (await listening()).find((each) => each.name === name)?.pid,
    ]);

    await addDeleted(1);

    await eventually(async () => expect(await rows()).toBe(0));
  });
});
