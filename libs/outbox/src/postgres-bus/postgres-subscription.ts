import { Logger } from '@nestjs/common';
import { SingleFlight, Slots } from '@vitrine/concurrency';
import type { EventEnvelope } from '@vitrine/contracts';
import { errorMessage } from '@vitrine/runtime';
import { type Delivery, DeliveryLostError, type Subscription } from '@vitrine/messaging';
import { CONSUMER_LOCK } from './bus-schema';
import type { SessionConnection } from '../session/postgres-session';

/** A live session that claims messages: its connection, and the number whose advisory lock it holds. */
export interface ClaimingSession {
  readonly connection: SessionConnection;
  readonly id: number;
}

/** What a subscription needs of its transport. */
export interface SubscribedTransport {
  session(): ClaimingSession | undefined;
  /** Tells all consumers of the queue that messages may be waiting. */
  signal(): void;
}

interface MessageRow {
  readonly id: string;
  readonly envelope: EventEnvelope;
  readonly attempts: number;
}

/** Claims messages of one queue, as many as there are free slots, whenever some may be waiting. */
export class PostgresSubscription implements Subscription {
  private readonly logger = new Logger(PostgresSubscription.name);
  private readonly slots: Slots;
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Messages whose connection was lost during an attempt, which therefore must not count. */
  private readonly uncounted = new Set<string>();
  private readonly claiming = new SingleFlight(() => this.claim());
  /** Whether the last claim may have left due messages. Later ones are announced. */
  private mayHaveMore = true;
  private draining = false;

  constructor(
    readonly queue: string,
    prefetch: number,
    private readonly onDelivery: (delivery: Delivery) => Promise<void>,
    private readonly transport: SubscribedTransport,
  ) {
    this.slots = new Slots(prefetch);
  }

  /** Claims messages, because some may be waiting. */
  wake(): void {
    if (!this.draining) this.claiming.wake();
  }

  async drain(): Promise<void> {
    this.draining = true;
    this.timers.forEach(clearTimeout);
    this.timers.clear();
    await this.claiming.current;
    await this.slots.drained();
  }

  private async claim(): Promise<void> {
    const session = this.transport.session();
    const wanted = this.slots.free;
    this.mayHaveMore = true;
    if (this.draining || !session || wanted <= 0) return;
    try {
      await this.uncount(session);
      const { rows } = await session.connection.query<MessageRow>({
        name: 'bus-claim',
        text: `with next as (
            select id from bus.messages
            where queue = $1 and claimed_by is null and available_at <= clock_timestamp()
            order by available_at, id limit $2 for update skip locked
          )
          update bus.messages m set claimed_by = $3, attempts = m.attempts + 1
          from next where m.id = next.id
          returning m.id, m.envelope, m.attempts`,
        values: [this.queue, wanted, session.id],
      });
      this.mayHaveMore = rows.length === wanted;
      for (const row of rows) void this.deliver(row, session);
    } catch (error) {
      // The session is restored by itself, or the next poll tries again.
      this.logger.warn(`${this.queue}: ${errorMessage(error)}`);
    }
  }

  private async deliver(row: MessageRow, session: ClaimingSession): Promise<void> {
    const delivery = new PostgresDelivery(this.queue, row, session, (delay) => this.signalIn(delay));
    await this.slots.run(async () => {
      try {
        if (this.draining) await delivery.release();
        else await this.onDelivery(delivery);
      } catch (error) {
        if (!(error instanceof DeliveryLostError)) this.logger.error(error);
      }
      if (!delivery.settled) await delivery.release().catch(() => undefined);
      if (delivery.lost) this.uncounted.add(row.id);
    });
    if (this.mayHaveMore || delivery.lost) this.wake();
  }

  /**
   * Subtracts attempts during which only the connection was lost: an attempt counts only if it may have killed its
   * process.
   */
  private async uncount(session: ClaimingSession): Promise<void> {
    if (this.uncounted.size === 0) return;
    const ids = [...this.uncounted];
    await session.connection.query({
      name: 'bus-uncount',
      text: 'update bus.messages set attempts = attempts - 1 where id = any($1) and attempts > 0',
      values: [ids],
    });
    for (const id of ids) this.uncounted.delete(id);
  }

  /** Tells all consumers once a returned message is due, because this one may not be able to take it. */
  private signalIn(delayMs: number): void {
    if (delayMs === 0) return this.transport.signal();
    // After the drain nothing would clear the timer; other consumers find the message by polling.
    if (this.draining) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.transport.signal();
    }, delayMs);
    this.timers.add(timer);
  }
}

class PostgresDelivery implements Delivery {
  readonly envelope: EventEnvelope;
  readonly attempt: number;
  settled = false;
  /** Whether the connection was lost before the delivery was settled. */
  lost = false;

  constructor(
    readonly queue: string,
    private readonly row: MessageRow,
    private readonly session: ClaimingSession,
    private readonly onReturn: (delayMs: number) => void,
  ) {
    this.envelope = row.envelope;
    this.attempt = row.attempts;
  }

  acknowledge(): Promise<void> {
    return this.settle('bus-ack', 'delete from bus.messages where id = $1 and claimed_by = $2', []);
  }

  retryLater(delayMs: number): Promise<void> {
    return this.deliverAgain(delayMs, this.attempt);
  }

  postpone(delayMs: number): Promise<void> {
    return this.deliverAgain(delayMs, this.attempt - 1);
  }

  deadLetter(reason: string): Promise<void> {
    return this.settle(
      'bus-bury',
      `with dead as (delete from bus.messages where id = $1 and claimed_by = $2 returning *)
       insert into bus.dead_letters (id, queue, envelope, reason, attempts)
       select id, queue, envelope, $3, attempts from dead`,
      [reason],
    );
  }

  async release(): Promise<void> {
    await this.settle(
      'bus-release',
      'update bus.messages set claimed_by = null, attempts = attempts - 1 where id = $1 and claimed_by = $2',
      [],
    );
    this.onReturn(0);
  }

  private async deliverAgain(delayMs: number, attempts: number): Promise<void> {
    await this.settle(
      'bus-retry',
      `update bus.messages
       set claimed_by = null, attempts = $4, available_at = clock_timestamp() + $3 * interval '1 millisecond'
       where id = $1 and claimed_by = $2`,
      [delayMs, attempts],
    );
    this.onReturn(delayMs);
  }

  /**
   * Runs over the connection that claimed the message: without it, the claim is void too. The condition on the consumer
   * id covers a claim that was returned to the queue while the connection seemed open.
   */
  private async settle(name: string, text: string, more: readonly unknown[]): Promise<void> {
    this.settled = true;
    const { connection, id } = this.session;
    let rowCount: number | null;
    try {
      ({ rowCount } = await connection.query({ name, text, values: [this.row.id, id, ...more] }));
    } catch (error) {
      this.lost = true;
      throw new DeliveryLostError(this.queue, { cause: error });
    }
    if (rowCount === 0) throw new DeliveryLostError(this.queue);
  }
}

/** Returns the messages of ended sessions to their queues, and counts the attempt. Returns the names of the queues. */
export async function reclaim(
  connection: SessionConnection,
  queues: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await connection.query<{ queue: string }>({
    name: 'bus-reclaim',
    text: `update bus.messages m set claimed_by = null
      where claimed_by is not null and queue = any($1) and not exists (
        select from pg_locks l
        where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = $2::int::oid
          and l.objid = m.claimed_by::oid
          and l.database = (select oid from pg_database where datname = current_database())
      )
      returning queue`,
    values: [queues, CONSUMER_LOCK],
  });
  return [...new Set(rows.map(({ queue }) => queue))];
}
