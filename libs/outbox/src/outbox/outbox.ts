import { Injectable } from '@nestjs/common';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';

/**
 * The NOTIFY channel that tells relays of new rows. The payload is the id of the relay that publishes them; empty:
 * any of them.
 */
export const OUTBOX_CHANNEL = 'vitrine_outbox';

/** Adds events to the transaction that causes them, so that both commit together or not at all. */
@Injectable()
export class Outbox {
  /** The id of the relay in this process; empty if there is none. */
  private relay = '';
  private answering = 0;
  private onAnswered: () => void = () => undefined;

  /**
   * Leaves the events of this process to one relay, unless it dies. `onAnswered` is called whenever the last work of
   * `answerFirst` has ended.
   */
  leaveTo(relay: string, onAnswered: () => void = () => undefined): void {
    this.relay = relay;
    this.onAnswered = onAnswered;
  }

  /**
   * Runs work for whose answer a client waits, while the relay of this process leaves its events for a moment: what they
   * cause in other processes would delay the answer.
   */
  async answerFirst<Result>(work: () => Promise<Result>): Promise<Result> {
    this.answering++;
    try {
      return await work();
    } finally {
      if (--this.answering === 0) this.onAnswered();
    }
  }

  /** Whether work of `answerFirst` is in progress. */
  get isAnswering(): boolean {
    return this.answering > 0;
  }

  /** Adds the event to `tx`; a relay publishes it once `tx` has committed. */
  add<Data>(tx: Transaction, event: EventDefinition<string, Data>, data: Data): Promise<void> {
    return this.addAll(tx, [buildEnvelope(event, data)]);
  }

  /** Adds events in their order, with one statement. */
  async addAll(tx: Transaction, envelopes: readonly EventEnvelope[]): Promise<void> {
    await tx.query(
      `with rows as (
         insert into outbox (envelope)
         select envelope from jsonb_array_elements($1::jsonb) with ordinality as event (envelope, at) order by at
         returning id
       ) select pg_notify($2, $3) from rows limit 1`,
      [JSON.stringify(envelopes), OUTBOX_CHANNEL, this.relay],
      { prepared: true },
    );
  }
}
