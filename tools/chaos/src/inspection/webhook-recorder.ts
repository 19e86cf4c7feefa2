import { setTimeout as pause } from 'node:timers/promises';
import { startWebhookReceiver, type WebhookReceiver } from '@vitrine/testing';
import type { Verdict } from '../contract/scenario';
import { connectWhenBack } from './quiet';
import type { ChaosStack } from '../stack/chaos-stack';
import type { Ledger, LedgerEntry } from '../clients/ledger';
import type { VitrineClient } from '@vitrine/client';

const EVENTS = ['media.uploaded', 'media.processed', 'media.failed', 'media.deleted'] as const;
type EventType = (typeof EVENTS)[number];

interface Delivery {
  readonly type: EventType;
  readonly data: { readonly slug: string };
}

/** Deliveries count as stuck when they are still pending after this time. */
const PATIENCE_MS = 180_000;
const POLL_MS = 500;

/** Settings with which webhooks reach this machine, and attempts of killed processes are soon repeated. */
export const WEBHOOK_SETTINGS = { WEBHOOKS_ALLOW_PRIVATE: 'true', WEBHOOKS_TIMEOUT_SECONDS: '5' } as const;

/** Receives a webhook of the run's account, to compare the deliveries with the uploads. */
export class WebhookRecorder {
  private constructor(private readonly receiver: WebhookReceiver) {}

  /** Creates the webhook. Throws if the API refuses it. */
  static async start(client: VitrineClient): Promise<WebhookRecorder> {
    const receiver = await startWebhookReceiver();
    try {
      await client.webhooks.create({ url: receiver.url, events: [...EVENTS] });
    } catch (error) {
      await receiver.stop();
      throw error;
    }
    return new WebhookRecorder(receiver);
  }

  /** Waits until no delivery is pending, and finds the events that were not delivered. */
  async examine(stack: ChaosStack, ledger: Ledger): Promise<Verdict> {
    const pending = await this.untilDelivered(stack);
    const told = new Set<string>();
    const ids = new Set<unknown>();
    for (const { body, headers } of this.receiver.received) {
      const { type, data } = JSON.parse(body) as Delivery;
      told.add(`${type} ${data.slug}`);
      ids.add(headers['webhook-id']);
    }
    const missing = ledger.entries.flatMap((entry) =>
      expected(entry)
        .filter((types) => !types.some((type) => told.has(`${type} ${entry.slug}`)))
        .map((types) => `No webhook received the event that ${entry.slug} is ${types.join(' or ')}`),
    );
    return {
      figures: [
        ['events delivered to a webhook', ids.size],
        ['  more than once', this.receiver.received.length - ids.size],
      ],
      breaches: [...missing, ...(pending > 0 ? [`${pending} deliveries of webhooks are still pending`] : [])],
    };
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  /** The number of deliveries that are still pending in the end. */
  private async untilDelivered(stack: ChaosStack): Promise<number> {
    const database = await connectWhenBack(stack.databaseUrl);
    try {
      for (const deadline = Date.now() + PATIENCE_MS; ; await pause(POLL_MS)) {
        const { rows } = await database.query<{ count: string }>(
          "select count(*) from webhook_deliveries where status = 'pending'",
        );
        const pending = Number(rows[0]?.count);
        if (pending === 0 || Date.now() > deadline) return pending;
      }
    } finally {
      await database.end();
    }
  }
}

/** The events that an upload must cause; of each list, one event is enough. */
function expected({ deletion }: LedgerEntry): readonly (readonly EventType[])[] {
  const end: Readonly<Record<LedgerEntry['deletion'], readonly (readonly EventType[])[]>> = {
    none: [['media.processed', 'media.failed']],
    // The answer to the request was lost, so either may be true.
    asked: [],
    confirmed: [['media.deleted']],
  };
  return [['media.uploaded'], ...end[deletion]];
}
