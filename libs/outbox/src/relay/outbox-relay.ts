import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SingleFlight } from '@vitrine/concurrency';
import type { EventEnvelope } from '@vitrine/contracts';
import { DatabaseConfig } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import type { QueryResult } from 'pg';
import { Counter, Gauge, Registry } from 'prom-client';
import {
  BusUnavailableError,
  EventPublisher,
  MessageTransport,
  UnroutableMessageError,
} from '@vitrine/messaging';
import { PostgresSession, type SessionConnection } from '../session/postgres-session';
import { Outbox, OUTBOX_CHANNEL } from '../outbox/outbox';

const BATCH = 200;
/**
 * The interval while rows wait: they may become due again, or their relay may have died. Also the time after which a relay
 * looks whether another one has published the rows that were left to it.
 */
const POLL_MS = 1_000;
/** The interval while there are none. Every new row is announced, and a new session looks by itself. */
const REST_MS = 15_000;
/** The longest time for which events are left because clients wait for answers. */
const MAX_HOLD_MS = 500;
const READY_PATIENCE_MS = 10_000;
/** The longest wait after a failure; the waits are 1, 2, 4 … seconds. */
const LAST_RETRY_SECONDS = 60;

/** After a long outage there may be millions of rows; their exact number would cost too much. */
const MAX_COUNTED = 100_000;
const COUNT_INTERVAL_MS = 5_000;

interface Batch {
  readonly taken: number;
  readonly published: number;
  /** Whether the bus was lost meanwhile. */
  readonly outage: boolean;
}

const NOTHING: Batch = { taken: 0, published: 0, outage: true };

const TAKE = `select id, envelope from outbox where retry_at <= now() order by id limit ${BATCH} for update skip locked`;
const OLDEST = 'select extract(epoch from now() - created_at)::float8 as age from outbox order by id limit 1';

interface OldestRow {
  /** Seconds. */
  readonly age: number;
}

const NO_ROWS = { rows: [] };

interface OutboxRow {
  readonly id: string;
  readonly envelope: EventEnvelope;
}

/**
 * Publishes the rows of the outbox. A row is deleted in the transaction that locked it, after the broker's confirmation:
 * a crash in between publishes it twice, but never loses it. Any number of relays may run; SKIP LOCKED divides the rows
 * among them. While the bus is unreachable, rows aren't read.
 */
@Injectable()
export class OutboxRelay implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly id = randomUUID();
  private readonly session: PostgresSession;
  private readonly published: Counter;
  private readonly failed: Counter<'reason'>;
  private readonly rows: Gauge;
  private readonly oldestAge: Gauge;
  private countAgainAt = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Ends the time for which events are left; undefined if none are. */
  private hold: NodeJS.Timeout | undefined;
  /** One run at a time, because there is one session. */
  private readonly publishing = new SingleFlight(() => this.publishDue().finally(() => this.poll()));
  private stopped = true;
  /** Whether the last look found rows, or failed. */
  private rowsWait = true;

  constructor(
    config: DatabaseConfig,
    private readonly transport: MessageTransport,
    private readonly publisher: EventPublisher,
    private readonly outbox: Outbox,
    registry: Registry,
  ) {
    outbox.leaveTo(this.id, () => this.hold && this.release());
    this.session = new PostgresSession({
      url: config.url,
      applicationName: 'vitrine-relay',
      channels: [OUTBOX_CHANNEL],
      onNotification: (_channel, relay) => this.hear(relay),
      onReady: () => this.wake(),
    });
    const registers = [registry];
    this.published = new Counter({
      name: 'vitrine_outbox_published_total',
      help: 'Outbox rows that were published and confirmed.',
      registers,
    });
    this.failed = new Counter({
      name: 'vitrine_outbox_failed_total',
      help: 'Failed publications, which are tried again, by reason: unroutable or other.',
      labelNames: ['reason'],
      registers,
    });
    this.rows = new Gauge({
      name: 'vitrine_outbox_rows',
      help: `Outbox rows that are not yet published; ${MAX_COUNTED} means that many or more.`,
      registers,
    });
    this.oldestAge = new Gauge({
      name: 'vitrine_outbox_oldest_seconds',
      help: 'Age in seconds of the oldest outbox row that is not yet published.',
      registers,
    });
  }

  onModuleInit(): void {
    this.stopped = false;
    this.session.open();
    this.poll();
  }

  /** For tests: waits for database and bus, publishes all due rows, and returns their number. */
  async processAll(): Promise<number> {
    await Promise.all([this.session.ready(READY_PATIENCE_MS), this.transport.connect()]);
    await this.publishing.current;
    return this.publishing.run();
  }

  /** Runs after the consumers have drained: publishes all due rows if the bus answers, and stops. */
  async onApplicationShutdown(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.hold);
    await this.publishing.current;
    await this.publishing.run();
    await this.session.close();
  }

  private poll(): void {
    clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => this.wake(), this.rowsWait ? POLL_MS : REST_MS);
  }

  private wake(): void {
    if (!this.stopped) this.publishing.wake();
  }

  /** Publishes new rows, or looks a little later whether the relay has done so to which they were left. */
  private hear(relay: string): void {
    if (relay === '') return this.wake();
    if (relay === this.id) return this.wakeAfterAnswers();
    if (this.rowsWait) return;
    this.rowsWait = true;
    this.poll();
  }

  /** Publishes as soon as no client waits for an answer of this process, or has waited for long enough. */
  private wakeAfterAnswers(): void {
    if (!this.outbox.isAnswering) return this.wake();
    this.hold ??= setTimeout(() => this.release(), MAX_HOLD_MS);
  }

  private release(): void {
    clearTimeout(this.hold);
    this.hold = undefined;
    this.wake();
  }

  private async publishDue(): Promise<number> {
    let total = 0;
    try {
      for (;;) {
        const connection = this.session.live;
        if (!connection) return total;
        const isHealthy = this.transport.healthy();
        const batch = isHealthy ? await this.publishBatch(connection) : NOTHING;
        total += batch.published;
        if (!isHealthy) await this.measure(connection, await connection.query<OldestRow>(OLDEST));
        if (batch.outage || batch.taken < BATCH) return total;
      }
    } catch (error) {
      this.rowsWait = true;
      this.logger.warn(`Publishing the outbox failed; trying again within a second: ${errorMessage(error)}`);
      return total;
    }
  }

  private async publishBatch(connection: SessionConnection): Promise<Batch> {
    try {
      const [, { rows } = NO_ROWS] = await connection.queryAll<OutboxRow>(['begin', TAKE]);
      const results = await Promise.allSettled(
        rows.map(({ envelope }) => this.publisher.publishEnvelope(envelope)),
      );
      const done: string[] = [];
      const failed: string[] = [];
      let outage = false;
      for (const [index, row] of rows.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') done.push(row.id);
        // After an outage of the bus, the row is due again immediately.
        else if (result?.reason instanceof BusUnavailableError) outage = true;
        else {
          failed.push(row.id);
          this.report(row, result?.reason);
        }
      }
      if (failed.length > 0) {
        await connection.query({
          text: `update outbox set attempts = attempts + 1,
             retry_at = clock_timestamp() + least(power(2, least(attempts, 10)), $2) * interval '1 second'
           where id = any($1)`,
          values: [failed, LAST_RETRY_SECONDS],
        });
      }
      const removal = done.length > 0 ? [`delete from outbox where id in (${done.join()})`] : [];
      const ended = await connection.queryAll<OldestRow>([...removal, 'commit', OLDEST]);
      this.published.inc(done.length);
      await this.measure(connection, ended.at(-1));
      return { taken: rows.length, published: done.length, outage };
    } catch (error) {
      await connection.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  private report({ id, envelope }: OutboxRow, error: unknown): void {
    const unroutable = error instanceof UnroutableMessageError;
    this.failed.inc({ reason: unroutable ? 'unroutable' : 'other' });
    const message = `${envelope.type} ${envelope.id} (outbox ${id}) could not be published and will be tried again: ${String(error)}`;
    // A missing queue needs an operator; other failures end by themselves.
    if (unroutable) this.logger.error(message);
    else this.logger.warn(message);
  }

  private async measure(
    connection: SessionConnection,
    { rows }: Pick<QueryResult<OldestRow>, 'rows'> = NO_ROWS,
  ): Promise<void> {
    this.oldestAge.set(rows[0]?.age ?? 0);
    this.rowsWait = rows.length > 0;
    if (rows.length === 0) return this.rows.set(0);
    if (Date.now() < this.countAgainAt) return;
    this.countAgainAt = Date.now() + COUNT_INTERVAL_MS;
    const counted = await connection.query<{ rows: number }>(
      `select count(*)::int as rows from (select from outbox limit ${MAX_COUNTED}) as oldest`,
    );
    this.rows.set(counted.rows[0]?.rows ?? 0);
  }
}
