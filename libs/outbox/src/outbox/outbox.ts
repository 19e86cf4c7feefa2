import { Injectable } from '@nestjs/common';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Signal } from '../session/signal';

/** The NOTIFY channel on which processes without a relay tell relays of new rows. */
export const OUTBOX_CHANNEL = 'vitrine_outbox';

/** The longest time for which events are left because clients wait for answers. */
const MAX_HOLD_MS = 500;

/** Adds events to the transaction that causes them, so that both commit together or not at all. */
@Injectable()
export class Outbox {
  private readonly signal: Signal;
  private wake = (): void => this.signal.send();
  private answering = 0;
  /** Ends the time for which events are left; undefined if none are. */
  private hold: NodeJS.Timeout | undefined;
  private readonly tell = (): void => {
    if (this.answering === 0) return this.wake();
    this.hold ??= setTimeout(() => this.release(), MAX_HOLD_MS);
  };

  constructor(database: Database) {
    this.signal = new Signal(OUTBOX_CHANNEL, (text, values) => database.query(text, values));
  }

  /** Calls `relay`, which is in this process, after commits that have added events, instead of notifying others. */
  wakes(relay: () => void): void {
    this.wake = relay;
  }

  /**
   * Runs work for whose answer a client waits. The relay learns of events after all such work, or half a second later: what
   * they cause in other processes would delay the answers.
   */
  async answerFirst<Result>(work: () => Promise<Result>): Promise<Result> {
    this.answering++;
    try {
      return await work();
    } finally {
      if (--this.answering === 0) this.release();
    }
  }

  /** Adds the event to `tx`; a relay publishes it once `tx` has committed. */
  add<Data>(tx: Transaction, event: EventDefinition<string, Data>, data: Data): Promise<void> {
    return this.addAll(tx, [buildEnvelope(event, data)]);
  }

  /** Adds events in their order, with one statement. */
  async addAll(tx: Transaction, envelopes: readonly EventEnvelope[]): Promise<void> {
    await tx.query(
      `insert into outbox (envelope)
       select envelope from jsonb_array_elements($1::jsonb) with ordinality as event (envelope, at) order by at`,
      [JSON.stringify(envelopes)],
      { prepared: true },
    );
    tx.afterCommit(this.tell);
  }

  private release(): void {
    if (!this.hold) return;
    clearTimeout(this.hold);
    this.hold = undefined;
    this.wake();
  }
}
