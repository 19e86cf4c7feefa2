import { Injectable } from '@nestjs/common';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Signal } from '../session/signal';

/** The NOTIFY channel on which processes without a relay tell relays of new rows. */
export const OUTBOX_CHANNEL = 'vitrine_outbox';

/** Seconds for which committed rows are left to the relay of their process. */
const OWN_SECONDS = 2;

export interface OutboxRow {
  readonly id: string;
  readonly envelope: EventEnvelope;
}

/** Adds events to the transaction that causes them, so that both commit together or not at all. */
@Injectable()
export class Outbox {
  private readonly signal: Signal;
  private ownRelay: ((rows: readonly OutboxRow[]) => void) | undefined;

  constructor(database: Database) {
    this.signal = new Signal(OUTBOX_CHANNEL, (text, values) => database.query(text, values));
  }

  /** Gives committed rows to `relay`, which is in this process, instead of notifying others. */
  givesTo(relay: (rows: readonly OutboxRow[]) => void): void {
    this.ownRelay = relay;
  }

  /** Adds the event to `tx`; a relay publishes it once `tx` has committed. */
  add<Data>(tx: Transaction, event: EventDefinition<string, Data>, data: Data): Promise<void> {
    return this.addAll(tx, [buildEnvelope(event, data)]);
  }

  /** Adds events in their order, with one statement. */
  async addAll(tx: Transaction, envelopes: readonly EventEnvelope[]): Promise<void> {
    if (envelopes.length === 0) return;
    const { ownRelay } = this;
    const ids = await tx.query<{ id: string }>(
      `insert into outbox (envelope, retry_at)
       select envelope, clock_timestamp() + $2 * interval '1 second'
       from jsonb_array_elements($1::jsonb) with ordinality as event (envelope, at) order by at returning id`,
      [JSON.stringify(envelopes), ownRelay ? OWN_SECONDS : 0],
      { prepared: true },
    );
    const rows = ids.map(({ id }, at) => ({ id, envelope: envelopes[at]! }));
    tx.afterCommit(() => (ownRelay ? ownRelay(rows) : this.signal.send()));
  }
}
