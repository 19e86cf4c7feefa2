import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff } from '@vitrine/concurrency';
import type { EventEnvelope } from '@vitrine/contracts';
import { sqlState } from '@vitrine/runtime';
import DataLoader from 'dataloader';
import { type Client, Pool, type PoolClient } from 'pg';
import {
  BusUnavailableError,
  type DeadLetter,
  type Delivery,
  MessageTransport,
  type QueueDefinition,
  type Subscription,
  UnroutableMessageError,
} from '@vitrine/messaging';
import { BUS_CHANNEL, CONSUMER_LOCK } from './bus-schema';
import { PostgresSession, type SessionConnection } from '../session/postgres-session';
import { Signal } from '../session/signal';
import { type ClaimingSession, PostgresSubscription, reclaim } from './postgres-subscription';

export interface PostgresTransportOptions {
  readonly url: string;
  /** Name of the process, for pg_stat_activity. */
  readonly name: string;
  readonly publishTimeoutMs?: number;
}

/** The interval while our queues hold messages: the longest delay of a retry, or after the death of a consumer. */
const POLL_MS = 1_000;
/** The interval while they are empty: the longest delay of a message whose publisher was killed before it could tell. */
const REST_MS = 5_000;
const PUBLISH_TIMEOUT_MS = 10_000;
const LIST_LIMIT = 1_000;
/** What is asked in one turn of the event loop is one statement. Nothing is kept. */
const ONE_TURN = {
  cache: false,
  maxBatchSize: 50,
  batchScheduleFn: (dispatch: () => void): void => void setImmediate(dispatch),
} as const;

interface QueueDepth {
  readonly waiting: number;
  readonly dead: number;
}

/**
 * The bus on PostgreSQL: one row per message and queue. A claim belongs to a session, which holds an advisory lock as long
 * as it is connected; any consumer returns the claims of ended sessions to the queue. So work may take hours, and the
 * messages of a killed consumer are available again within about a second. Needs rights on the schema `bus` only.
 */
export class PostgresTransport extends MessageTransport {
  readonly url: string;
  /** Consumes, and listens; in a process with a relay of the same database, also for it. */
  readonly session: PostgresSession;
  private readonly pool: Pool;
  /** Tells the consumers of a queue of new messages, in this process and others. */
  private readonly signal: Signal;
  private readonly publishTimeoutMs: number;
  /** Each transaction waits for the disk, so the publications of one turn of the event loop share one. */
  private readonly publications = new DataLoader<EventEnvelope, true>(
    (envelopes) => this.publishAll(envelopes),
    ONE_TURN,
  );
  private readonly depths = new DataLoader<string, QueueDepth>(
    (queues) => findDepths(this.pool, queues),
    ONE_TURN,
  );
  private readonly subscriptions = new Set<PostgresSubscription>();
  private readonly connected: Promise<void>;
  private settleConnected: { resolve: () => void; reject: (error: Error) => void } | undefined;
  private consumerId = 0;
  private timer: NodeJS.Timeout | undefined;
  private resting = false;
  private opened = false;
  private closed = false;

  constructor({ url, name, publishTimeoutMs = PUBLISH_TIMEOUT_MS }: PostgresTransportOptions) {
    super();
    this.url = url;
    this.publishTimeoutMs = publishTimeoutMs;
    this.pool = new Pool({
      connectionString: url,
      application_name: `vitrine-bus ${name}`,
      max: 4,
      connectionTimeoutMillis: publishTimeoutMs,
      query_timeout: publishTimeoutMs,
      keepAlive: true,
    });
    this.pool.on('error', () => undefined);
    // A connection that is lost while it is in use also emits an error, with or without a running query.
    this.pool.on('connect', (client) => void client.on('error', () => undefined));
    this.connected = new Promise((resolve, reject) => {
      this.settleConnected = { resolve, reject };
    });
    this.connected.catch(() => undefined);
    this.session = new PostgresSession({
      url,
      applicationName: `vitrine-bus ${name}`,
      // If a crash of PostgreSQL loses the last acknowledgements, deliveries are only repeated.
      settings: { synchronous_commit: 'off' },
      onConnect: (client) => this.register(client),
    });
    this.session.listen(BUS_CHANNEL, (queue) => this.hear(queue));
    this.signal = new Signal(BUS_CHANNEL, (text, values) =>
      this.pool.query({ name: 'bus-signal', text, values }),
    );
  }

  connect(): Promise<void> {
    if (!this.opened && !this.closed) this.session.open();
    this.opened = true;
    return this.connected;
  }

  async declare(queues: readonly QueueDefinition[]): Promise<void> {
    await this.connect();
    await this.retryUntilDeadline((client) =>
      client.query(
        `insert into bus.queues (name, routing_key) select * from unnest($1::text[], $2::text[])
         on conflict (name) do update set routing_key = excluded.routing_key
         where queues.routing_key <> excluded.routing_key`,
        columnsOf(queues),
      ),
    );
  }

  async publish(envelope: EventEnvelope): Promise<void> {
    await this.publications.load(envelope);
  }

  private async publishAll(envelopes: readonly EventEnvelope[]): Promise<(true | Error)[]> {
    const { routed, queues } = await this.retryUntilDeadline((client) => insertMessages(client, envelopes));
    for (const queue of queues) this.signal.send(queue);
    return envelopes.map(({ type }) => routed.has(type) || new UnroutableMessageError(type));
  }

  async consume(
    queue: string,
    prefetch: number,
    onDelivery: (delivery: Delivery) => Promise<void>,
  ): Promise<Subscription> {
    await this.connect();
    const subscription = new PostgresSubscription(queue, prefetch, onDelivery, {
      session: () => this.claimingSession(),
      signal: () => this.signal.send(queue),
    });
    this.subscriptions.add(subscription);
    subscription.wake();
    this.pollIn(POLL_MS);
    return {
      drain: async () => {
        await subscription.drain();
        this.subscriptions.delete(subscription);
      },
    };
  }

  healthy(): boolean {
    return this.session.live !== undefined;
  }

  depth(queue: string): Promise<QueueDepth> {
    return this.depths.load(queue);
  }

  async listDeadLetters(queue?: string): Promise<readonly DeadLetter[]> {
    const { rows } = await this.pool.query<Omit<DeadLetter, 'died_at'> & { died_at: Date }>(
      `select d.* from (select distinct queue from bus.dead_letters where $1::text is null or queue = $1) q
       cross join lateral (
         select id::text, queue, envelope, reason, attempts, died_at from bus.dead_letters
         where queue = q.queue order by dead_letters.id limit ${LIST_LIMIT}
       ) d order by d.queue, d.id::bigint`,
      [queue ?? null],
    );
    return rows.map((row) => ({ ...row, died_at: row.died_at.toISOString() }));
  }

  async replayDeadLetter(id: string): Promise<boolean> {
    if (!/^\d{1,18}$/.test(id)) return false;
    const { rows } = await this.pool.query<{ queue: string }>(
      `with dead as (delete from bus.dead_letters where id = $1 returning queue, envelope)
       insert into bus.messages (queue, envelope) select queue, envelope from dead returning queue`,
      [id],
    );
    for (const { queue } of rows) this.signal.send(queue);
    return rows.length === 1;
  }

  async discardDeadLetter(id: string): Promise<boolean> {
    if (!/^\d{1,18}$/.test(id)) return false;
    const { rowCount } = await this.pool.query('delete from bus.dead_letters where id = $1', [id]);
    return rowCount === 1;
  }

  async probe(): Promise<void> {
    const name = `probe.${randomUUID()}`;
    await this.retryUntilDeadline(async (client) => {
      // Rolled back, so that nothing is visible and nothing remains.
      await client.query('begin');
      try {
        await client.query('insert into bus.queues (name, routing_key) values ($1, $1)', [name]);
        await client.query(`insert into bus.messages (queue, envelope) values ($1, '{}')`, [name]);
        await client.query('update bus.messages set attempts = 1 where queue = $1', [name]);
        const { rowCount } = await client.query('delete from bus.messages where queue = $1', [name]);
        if (rowCount !== 1) throw new Error('A message did not come back');
      } finally {
        await client.query('rollback');
      }
    });
  }

  async findUndeclared(queues: readonly QueueDefinition[]): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ name: string }>(
      'select name from unnest($1::text[]) as name where name not in (select q.name from bus.queues q)',
      [queues.map(({ name }) => name)],
    );
    return rows.map(({ name }) => name);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.timer);
    this.settleConnected?.reject(new BusUnavailableError('The bus was closed'));
    await this.session.close();
    await this.signal.flush();
    await this.pool.end();
  }

  private claimingSession(): ClaimingSession | undefined {
    const connection = this.session.live;
    return connection && { connection, id: this.consumerId };
  }

  /** Gives the session a consumer id, and takes its advisory lock. */
  private async register(client: Client): Promise<void> {
    const { rows } = await client.query<{ id: number }>(`select nextval('bus.consumer_ids')::int as id`);
    const id = rows[0]?.id ?? 0;
    await client.query('select pg_advisory_lock($1::int, $2::int)', [CONSUMER_LOCK, id]);
    this.consumerId = id;
  }

  /** Claims the messages of a signalled queue; `undefined` after each connection. */
  private hear(queue: string | undefined): void {
    if (queue === undefined) {
      this.settleConnected?.resolve();
      return void this.poll();
    }
    this.wake(queue);
    if (this.resting && this.consumed().includes(queue)) this.pollIn(POLL_MS);
  }

  private wake(queue?: string): void {
    for (const subscription of this.subscriptions) {
      if (queue === undefined || subscription.queue === queue) subscription.wake();
    }
  }

  /** Finds due retries, messages of killed consumers, and messages whose notification was lost. */
  private async poll(): Promise<void> {
    clearTimeout(this.timer);
    const connection = this.session.live;
    if (this.closed || !connection) return;
    const queues = this.consumed();
    // Messages that come meanwhile are signalled after this, and so end the rest.
    this.resting = true;
    const busy = queues.length > 0 && (await this.haveMessages(connection, queues));
    if (busy) {
      await reclaim(connection, queues).catch(() => undefined);
      this.wake();
    }
    if (busy || this.resting) this.pollIn(busy ? POLL_MS : REST_MS);
  }

  private pollIn(milliseconds: number): void {
    clearTimeout(this.timer);
    this.resting = milliseconds === REST_MS;
    if (!this.closed) this.timer = setTimeout(() => void this.poll(), milliseconds);
  }

  /** Names of the queues that this process consumes. */
  private consumed(): readonly string[] {
    return [...new Set([...this.subscriptions].map(({ queue }) => queue))];
  }

  /** Whether the queues hold messages, waiting or claimed. True if PostgreSQL doesn't say. */
  private async haveMessages(connection: SessionConnection, queues: readonly string[]): Promise<boolean> {
    try {
      const { rows } = await connection.query<{ found: boolean }>({
        name: 'bus-any',
        text: 'select exists (select from bus.messages where queue = any($1)) as found',
        values: [queues],
      });
      return rows[0]?.found ?? true;
    } catch {
      return true;
    }
  }

  /** Runs `work`, and tries again during an outage until the publish deadline. */
  private async retryUntilDeadline<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const deadline = Date.now() + this.publishTimeoutMs;
    const backoff = new Backoff({ firstMs: 50, longestMs: 1_000 });
    for (;;) {
      const attempt = await this.tryOnce(work);
      if ('result' in attempt) return attempt.result;
      const delay = backoff.afterFailure();
      if (this.closed || Date.now() + delay > deadline) {
        throw new BusUnavailableError('PostgreSQL is unreachable', { cause: attempt.outage });
      }
      await sleep(delay);
    }
  }

  private async tryOnce<Result>(
    work: (client: PoolClient) => Promise<Result>,
  ): Promise<{ result: Result } | { outage: unknown }> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (outage) {
      return { outage };
    }
    try {
      const result = await work(client);
      client.release();
      return { result };
    } catch (error) {
      const outage = isOutage(error);
      client.release(outage);
      if (outage) return { outage: error };
      throw error;
    }
  }
}

/** Adds messages to all queues bound to their types. Returns those of their types to which a queue is bound, and the queues. */
async function insertMessages(
  client: PoolClient,
  envelopes: readonly EventEnvelope[],
): Promise<{ readonly routed: ReadonlySet<string>; readonly queues: ReadonlySet<string> }> {
  const { rows } = await client.query<{ type: string; queue: string }>({
    name: 'bus-publish',
    text: `with routed as (
        select q.name, p.type, p.envelope, p.place
        from unnest($1::text[], $2::json[]) with ordinality as p (type, envelope, place)
        join bus.queues q on q.routing_key = p.type
      ), added as (
        insert into bus.messages (queue, envelope) select name, envelope from routed order by place
      )
      select distinct type, name as queue from routed`,
    values: [envelopes.map(({ type }) => type), envelopes.map((envelope) => JSON.stringify(envelope))],
  });
  return { routed: new Set(rows.map(({ type }) => type)), queues: new Set(rows.map(({ queue }) => queue)) };
}

/** The depths of these queues, in this order. */
async function findDepths(pool: Pool, queues: readonly string[]): Promise<QueueDepth[]> {
  const { rows } = await pool.query<QueueDepth>(
    `select (select count(*)::int from bus.messages where queue = name and claimed_by is null) as waiting,
            (select count(*)::int from bus.dead_letters where queue = name) as dead
     from unnest($1::text[]) with ordinality as asked (name, place) order by place`,
    [queues],
  );
  return rows;
}

/** Names and routing keys, each queue once, sorted so that processes that declare at the same time can't deadlock. */
function columnsOf(queues: readonly QueueDefinition[]): [string[], string[]] {
  const routingKeys = new Map(queues.map(({ name, routingKey }) => [name, routingKey]));
  const names = [...routingKeys.keys()].sort();
  return [names, names.map((name) => routingKeys.get(name) ?? '')];
}

/**
 * Whether PostgreSQL is shutting down, is short of resources, has rolled the transaction back because of another one, or
 * didn't answer at all.
 */
function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined || !/^[0-9A-Z]{5}$/.test(state)) return true;
  return ['08', '40', '53', '57P'].some((kind) => state.startsWith(kind));
}
