import { Logger } from '@nestjs/common';
import type { EventEnvelope } from '@vitrine/contracts';
import { errorMessage } from '@vitrine/runtime';
import type { Delivery, Subscription } from '../message-transport';
import { SubscriptionSlots } from '../subscription-slots';
import { DeliveryLostError } from '../transport-errors';
import { BUS_CHANNEL, CONSUMER_LOCK } from './bus-schema';
import type { SessionConnection } from './postgres-session';

/** A live consuming session: its connection, and the number whose advisory lock it holds. */
export interface Consumer {
  readonly connection: SessionConnection;
  readonly id: number;
}

interface MessageRow {
  readonly id: string;
  readonly envelope: EventEnvelope;
  readonly attempts: number;
}

/** Takes messages of one queue in batches, as many as there are free slots, whenever something may be there. */
export class PostgresSubscription implements Subscription {
  private readonly logger = new Logger(PostgresSubscription.name);
  private readonly slots: SubscriptionSlots;
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Messages whose connection was lost under a try that this process has survived. */
  private readonly uncounted = new Set<string>();
  private claiming: Promise<void> | undefined;
  private announcing: Promise<void> | undefined;
  private again = false;
  private draining = false;

  constructor(
    readonly queue: string,
    prefetch: number,
    private readonly onDelivery: (delivery: Delivery) => Promise<void>,
    private readonly consumer: () => Consumer | undefined,
  ) {
    this.slots = new SubscriptionSlots(prefetch);
  }

  /** Something may be waiting. */
  wake(): void {
    if (this.draining) return;
    if (this.claiming) {
      this.again = true;
      return;
    }
    this.claiming = this.claim().finally(() => {
      this.claiming = undefined;
      if (!this.again) return;
      this.again = false;
      this.wake();
    });
  }

  async drain(): Promise<void> {
    this.draining = true;
    this.timers.forEach(clearTimeout);
    this.timers.clear();
    await this.claiming;
    await this.announcing;
    await this.slots.drained();
  }

  private async claim(): Promise<void> {
    const consumer = this.consumer();
    const wanted = this.slots.free;
    if (!consumer || wanted <= 0) return;
    try {
      await this.uncount(consumer);
      const { rows } = await consumer.connection.query<MessageRow>({
        name: 'bus-claim',
        text: `with next as (
            select id from bus.messages
            where queue = $1 and claimed_by is null and available_at <= clock_timestamp()
            order by available_at, id limit $2 for update skip locked
          )
          update bus.messages m set claimed_by = $3, attempts = m.attempts + 1
          from next where m.id = next.id
          returning m.id, m.envelope, m.attempts`,
        values: [this.queue, wanted, consumer.id],
      });
      for (const row of rows) void this.deliver(row, consumer);
    } catch (error) {
      // The session comes back by itself, or the next poll tries again.
      this.logger.warn(`${this.queue}: ${errorMessage(error)}`);
    }
  }

  private async deliver(row: MessageRow, consumer: Consumer): Promise<void> {
    const delivery = new PostgresDelivery(this.queue, row, consumer, (delay) => this.wakeIn(delay));
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
    this.wake();
  }

  /** A try counts where it may have killed its worker. Here the bus was lost, and the worker tells of it. */
  private async uncount(consumer: Consumer): Promise<void> {
    if (this.uncounted.size === 0) return;
    const ids = [...this.uncounted];
    await consumer.connection.query({
      name: 'bus-uncount',
      text: 'update bus.messages set attempts = attempts - 1 where id = any($1) and attempts > 0',
      values: [ids],
    });
    for (const id of ids) this.uncounted.delete(id);
  }

  /** Once the message is due all consumers are told: whoever put it back may be the one that can't take it. */
  private wakeIn(delayMs: number): void {
    // Nobody would clear it any more; the others find the message by polling.
    if (this.draining) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.announcing ??= this.announce().finally(() => {
        this.announcing = undefined;
        this.wake();
      });
    }, delayMs);
    this.timers.add(timer);
  }

  private async announce(): Promise<void> {
    const text = `select pg_notify('${BUS_CHANNEL}', $1)`;
    // Without a session the others find it by polling.
    await this.consumer()
      ?.connection.query({ name: 'bus-announce', text, values: [this.queue] })
      .catch(() => undefined);
  }
}

class PostgresDelivery implements Delivery {
  readonly envelope: EventEnvelope;
  readonly attempt: number;
  settled = false;
  /** The connection was gone when it was to be settled. */
  lost = false;

  constructor(
    readonly queue: string,
    private readonly row: MessageRow,
    private readonly consumer: Consumer,
    private readonly onRetry: (delayMs: number) => void,
  ) {
    this.envelope = row.envelope;
    this.attempt = row.attempts;
  }

  acknowledge(): Promise<void> {
    return this.settle('bus-ack', 'delete from bus.messages where id = $1 and claimed_by = $2', []);
  }

  retryLater(delayMs: number): Promise<void> {
    return this.comeAgain(delayMs, this.attempt);
  }

  postpone(delayMs: number): Promise<void> {
    return this.comeAgain(delayMs, this.attempt - 1);
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

  release(): Promise<void> {
    return this.settle(
      'bus-release',
      `with released as (
         update bus.messages set claimed_by = null, attempts = attempts - 1
         where id = $1 and claimed_by = $2 returning queue
       )
       select pg_notify('${BUS_CHANNEL}', queue) from released`,
      [],
    );
  }

  private async comeAgain(delayMs: number, tries: number): Promise<void> {
    await this.settle(
      'bus-retry',
      `update bus.messages
       set claimed_by = null, attempts = $4, available_at = clock_timestamp() + $3 * interval '1 millisecond'
       where id = $1 and claimed_by = $2`,
      [delayMs, tries],
    );
    this.onRetry(delayMs);
  }

  /**
   * Over the connection that claimed it: where that is gone, so is the claim. The consumer's id guards against
   * a claim that was taken back while the connection only seemed alive.
   */
  private async settle(name: string, text: string, more: readonly unknown[]): Promise<void> {
    this.settled = true;
    const { connection, id } = this.consumer;
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

/** Gives back what consumers held whose sessions have ended; the try that ended them stays counted. */
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
