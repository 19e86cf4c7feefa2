import { Injectable } from '@nestjs/common';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Signal } from '../session/signal';

/** The NOTIFY channel on which processes without a relay tell relays of new rows. */
export const OUTBOX_CHANNEL = 'vitrine_outbox';

/** Seconds for which committed rows are left to the relay of their process. */
const OWN_SECONDS = 2;
/** The longest time for which events are left because clients wait for answers. */
const MAX_HOLD_MS = 500;

export interface OutboxRow {
  readonly id: string;
  readonly envelope: EventEnvelope;
}

/** Adds events to the transaction that causes them, so that both commit together or not at all. */
@Injectable()
export class Outbox {
  private readonly signal: Signal;
  private give: (rows: readonly OutboxRow[]) => void = () => this.signal.send();
  private ownSeconds = 0;
  /** Committed rows of which nobody has been told. */
  private readonly committed: OutboxRow[] = [];
  private answering = 0;
  /** Ends the time for which events are left; undefined if none are. */
  private hold: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.signal = new Signal(OUTBOX_CHANNEL, (text, values) => database.query(text, values));
  }

  /** Gives committed rows to `relay`, which is in this process, instead of notifying others. */
  givesTo(relay: (rows: readonly OutboxRow[]) => void): void {
    this.give = relay;
    this.ownSeconds = OWN_SECONDS;
  }

  /**
   * Runs work for whose answer a client waits. Relays learn of events after all such work, or half a second later: what they
   * cause in other processes would delay the answers.
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

  /** Adds events in their order, with one statement; with none, if there are no events. */
  async addAll(tx: Transaction, envelopes: readonly EventEnvelope[]): Promise<void> {
    if (envelopes.length === 0) return;
    const ids = await tx.query<{ id: string }>(
      `insert into outbox (envelope, retry_at)
       select envelope, clock_timestamp() + $2 * interval '1 second'
       from jsonb_array_elements($1::jsonb) with ordinality as event (envelope, at) order by at returning id`,
      [JSON.stringify(envelopes), this.ownSeconds],
      { prepared: true },
    );
    tx.afterCommit(() => {
      this.committed.push(...ids.map(({ id }, at) => ({ id, envelope: envelopes[at]! })));
      if (this.answering === 0) return this.release();
      this.hold ??= setTimeout(() => this.release(), MAX_HOLD_MS);
    });
  }

  private release(): void {
    clearTimeout(this.hold);
    this.hold = undefined;
    const rows = this.committed.splice(0);
    if (rows.length > 0) this.give(rows);
  }
}
