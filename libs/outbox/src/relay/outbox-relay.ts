import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { SingleFlight } from '@vitrine/concurrency';
import { Database, DatabaseConfig } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import { Counter, Gauge, Registry } from 'prom-client';
import {
  BusUnavailableError,
  EventPublisher,
  MessageTransport,
  UnroutableMessageError,
} from '@vitrine/messaging';
import { Outbox, OUTBOX_CHANNEL, type OutboxRow } from '../outbox/outbox';
import { PostgresTransport } from '../postgres-bus/postgres-transport';
import { PostgresSession } from '../session/postgres-session';
import { throttled } from '../session/signal';

const BATCH = 200;
/** The interval of looks while rows wait, which may become due again. */
const POLL_MS = 1_000;
/** The interval while there are none: the longest wait of a row whose process was killed before it could tell a relay. */
const REST_MS = 5_000;
/** The longest wait after a failure; the waits are 1, 2, 4 … seconds. */
const LAST_RETRY_SECONDS = 60;

/** After a long outage there may be millions of rows; their exact number would cost too much. */
const MAX_COUNTED = 100_000;
const COUNT_INTERVAL_MS = 5_000;

/** Rows of this process that wait in memory. Beyond this number they are read when they are due. */
const MAX_OWN = 2_000;
/** How long they may wait there. Soon afterwards they are due, and whoever reads them would publish them too. */
const OWN_MS = 1_000;

interface OwnRow extends OutboxRow {
  /** The time of `performance.now`. */
  readonly until: number;
}

interface Batch {
  /** The ids of the rows that were published. */
  readonly done: readonly string[];
  readonly failures: readonly { readonly row: OutboxRow; readonly error: unknown }[];
  /** Whether the bus was lost meanwhile. */
  readonly outage: boolean;
}

const TAKE = `select id, envelope from outbox where retry_at <= now() order by id limit ${BATCH} for update skip locked`;

/**
 * Publishes the rows of the outbox: those of this process from memory after their commits, those of others after a
 * notification, and the remaining ones at its next look. A row is deleted after the broker's confirmation: if the process
 * crashes before, or a row of this process waits longer than it is left to this relay, the row is published twice, but never
 * lost. Any number of relays may run; SKIP LOCKED divides the rows among them. While the bus
 * is unreachable, rows aren't read.
 */
@Injectable()
export class OutboxRelay implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  /** Listens, unless the session of the bus does. */
  private readonly session: PostgresSession | undefined;
  private readonly published: Counter;
  private readonly failed: Counter<'reason'>;
  private readonly rows: Gauge;
  private readonly oldestAge: Gauge;
  private countAgainAt = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Committed rows of this process, which are left to this relay for a moment. */
  private readonly own: OwnRow[] = [];
  private readonly publishingOwn = new SingleFlight(() => this.publishOwn());
  private readonly publishing = new SingleFlight(() => this.publishDue());
  private readonly looking = new SingleFlight(() => this.look());
  private readonly wakeOwn = throttled(() => {
    if (!this.stopped) this.publishingOwn.wake();
  });
  private readonly wake = throttled(() => {
    if (!this.stopped) this.publishing.wake();
  });
  private stopped = true;
  private failing = false;

  constructor(
    config: DatabaseConfig,
    private readonly database: Database,
    private readonly transport: MessageTransport,
    private readonly publisher: EventPublisher,
    outbox: Outbox,
    registry: Registry,
  ) {
    outbox.givesTo((rows) => {
      const until = performance.now() + OWN_MS;
      if (this.own.length + rows.length <= MAX_OWN) this.own.push(...rows.map((row) => ({ ...row, until })));
      this.wakeOwn();
    });
    const url = config.listenUrl;
    const shared = transport instanceof PostgresTransport && transport.url === url;
    if (!shared) this.session = new PostgresSession({ url, applicationName: 'vitrine-relay' });
    (shared ? transport.session : this.session)?.listen(OUTBOX_CHANNEL, this.wake);
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
    this.session?.open();
    this.looking.wake();
  }

  /** For tests: waits for the bus, publishes all due rows, and returns their number. */
  async processAll(): Promise<number> {
    await this.transport.connect();
    await Promise.all([this.publishingOwn.current, this.publishing.current]);
    const published = (await this.publishingOwn.run()) + (await this.publishing.run());
    await this.measure();
    return published;
  }

  /** Runs after the consumers have drained: publishes all due rows if the bus answers, and stops. */
  async onApplicationShutdown(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    clearTimeout(this.timer);
    await this.looking.current;
    await Promise.all([this.publishingOwn.current, this.publishing.current]);
    await this.publishingOwn.run();
    await this.publishing.run();
    await this.session?.close();
  }

  /** Finds rows of which no process has told: due again, or of a killed process. */
  private async look(): Promise<void> {
    let rowsWait = await this.measure();
    if (rowsWait) {
      await this.publishing.run();
      rowsWait = await this.measure();
    }
    if (!this.stopped) this.timer = setTimeout(() => this.looking.wake(), rowsWait ? POLL_MS : REST_MS);
  }

  /** Publishes rows from memory and returns the number of those that were confirmed. Doesn't reject. */
  private async publishOwn(): Promise<number> {
    let total = 0;
    while (this.own.length > 0) {
      const taken = this.own.splice(0, BATCH);
      const now = performance.now();
      const rows = this.transport.healthy() ? taken.filter(({ until }) => now < until) : [];
      // Rows that aren't published now are read when they are due.
      if (rows.length === 0) continue;
      try {
        const batch = await this.publish(rows);
        await this.settle(batch, (text, values) => this.database.write(text, values));
        total += batch.done.length;
      } catch (error) {
        this.warn(error);
      }
    }
    return total;
  }

  /** Publishes the due rows and returns the number of those that were confirmed. Doesn't reject. */
  private async publishDue(): Promise<number> {
    let total = 0;
    try {
      while (this.transport.healthy()) {
        const { taken, batch } = await this.database.transaction(async (tx) => {
          const rows = await tx.query<OutboxRow>(TAKE, [], { prepared: true });
          const batch = await this.publish(rows);
          await this.settle(batch, (text, values) => tx.query(text, values));
          return { taken: rows.length, batch };
        });
        total += batch.done.length;
        if (batch.outage || taken < BATCH) break;
      }
    } catch (error) {
      this.warn(error);
    }
    return total;
  }

  private async publish(rows: readonly OutboxRow[]): Promise<Batch> {
    const results = await Promise.allSettled(
      rows.map(({ envelope }) => this.publisher.publishEnvelope(envelope)),
    );
    const done: string[] = [];
    const failures: { row: OutboxRow; error: unknown }[] = [];
    let outage = false;
    for (const [index, row] of rows.entries()) {
      const result = results[index];
      if (result?.status === 'fulfilled') done.push(row.id);
      // After an outage of the bus, the row is due again immediately.
      else if (result?.reason instanceof BusUnavailableError) outage = true;
      else failures.push({ row, error: result?.reason });
    }
    return { done, failures, outage };
  }

  /** Deletes the published rows, and makes the failed ones wait. */
  private async settle(
    { done, failures }: Batch,
    write: (text: string, values: unknown[]) => Promise<unknown>,
  ): Promise<void> {
    if (failures.length > 0) {
      await write(
        `update outbox set attempts = attempts + 1,
           retry_at = clock_timestamp() + least(power(2, least(attempts, 10)), $2) * interval '1 second'
         where id = any($1)`,
        [failures.map(({ row }) => row.id), LAST_RETRY_SECONDS],
      );
    }
    if (done.length > 0) await write('delete from outbox where id = any($1)', [done]);
    for (const { row, error } of failures) this.report(row, error);
    this.published.inc(done.length);
  }

  private report({ id, envelope }: OutboxRow, error: unknown): void {
    const unroutable = error instanceof UnroutableMessageError;
    this.failed.inc({ reason: unroutable ? 'unroutable' : 'other' });
    const message = `${envelope.type} ${envelope.id} (outbox ${id}) could not be published and will be tried again: ${String(error)}`;
    // A missing queue needs an operator; other failures end by themselves.
    if (unroutable) this.logger.error(message);
    else this.logger.warn(message);
  }

  /** Once in an outage of the database, whose looks fail every second. */
  private warn(error: unknown): void {
    if (this.failing) return;
    this.failing = true;
    this.logger.warn(`Publishing the outbox failed; trying again every second: ${errorMessage(error)}`);
  }

  /** Measures the rows, and returns whether there are any. True if PostgreSQL doesn't say. */
  private async measure(): Promise<boolean> {
    try {
      const [oldest] = await this.database.read<{ age: number }>(
        'select extract(epoch from now() - created_at)::float8 as age from outbox order by id limit 1',
      );
      this.failing = false;
      this.oldestAge.set(oldest?.age ?? 0);
      if (!oldest) this.rows.set(0);
      if (!oldest || Date.now() < this.countAgainAt) return oldest !== undefined;
      this.countAgainAt = Date.now() + COUNT_INTERVAL_MS;
      const [counted] = await this.database.read<{ rows: number }>(
        `select count(*)::int as rows from (select from outbox limit ${MAX_COUNTED}) as oldest`,
      );
      this.rows.set(counted?.rows ?? 0);
    } catch (error) {
      this.warn(error);
    }
    return true;
  }
}
