import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { SingleFlight } from '@vitrine/concurrency';
import { Database } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import { webhookPayload } from './payload.rules';
import { waitAfter } from './retry.rules';
import { signedHeaders } from './signature';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSender } from './webhook-sender';
import type { ClaimedDelivery, SendResult } from './webhook.types';
import { WebhookRepository } from './webhook.repository';
import { WebhooksConfig } from './webhooks.config';

/** Attempts in progress at the same time in one process. */
const SLOTS = 64;
/** Of these, attempts of webhooks whose last attempt failed, so that the others always find a free slot. */
const FAILING_SLOTS = SLOTS / 2;
const PER_WEBHOOK = 4;
const PER_ACCOUNT = 8;
/** Of all accounts together, so that many of them can't make this service flood one receiver. */
const PER_HOST = 16;
/** If a process has not recorded an attempt after this multiple of its time limit, it has died. */
const LEASE_FACTOR = 3;
/** A webhook is disabled if every attempt has failed for this many seconds. */
const DISABLE_AFTER_SECONDS = 5 * 86_400;
/** Time that attempts have to finish when the process stops. */
const STOP_MS = 5_000;
const GONE = 410;

const KEPT_DAYS = 30;
const KEPT_PER_WEBHOOK = 1_000;

const DISABLED_ERROR = 'The webhook was disabled before this attempt.';

/**
 * Sends due deliveries. A delivery is taken in a short transaction that makes it due again after the lease, and its
 * result is recorded in another one: if the process dies in between, another one sends it again. Any number of
 * processes may deliver.
 */
@Injectable()
export class WebhookDeliverer implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookDeliverer.name);
  private readonly attempts = new Map<Promise<void>, ClaimedDelivery>();
  private readonly stop = new AbortController();
  private stopping = false;
  private readonly claims = new SingleFlight(() => this.claim());

  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly sender: WebhookSender,
    private readonly metrics: WebhookMetrics,
    private readonly config: WebhooksConfig,
  ) {}

  /** Begins as many due deliveries as there are free slots; returns how many. Does not wait for their results. */
  async beginDue(): Promise<number> {
    const inProgress = this.claims.current;
    if (!inProgress) return this.claims.run();
    this.claims.wake();
    return inProgress;
  }

  /** Measures how long the oldest delivery has been due. */
  async measure(): Promise<void> {
    this.metrics.oldestDue.set(await this.deliveries.findOldestDue());
  }

  /** Removes deliveries that are finished and old; returns how many. */
  removeOld(): Promise<number> {
    return this.database.transaction((tx) => this.deliveries.removeOld(tx, KEPT_DAYS, KEPT_PER_WEBHOOK));
  }

  /** Waits until no attempt is in progress, and none follows at once. */
  async settled(): Promise<void> {
    while (this.attempts.size > 0 || this.claims.current)
      await Promise.allSettled([...this.attempts.keys(), this.claims.current]);
  }

  /** Lets attempts finish for five seconds, and returns the others to the queue. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const timer = setTimeout(() => this.stop.abort(), STOP_MS);
    await this.settled();
    clearTimeout(timer);
  }

  private async claim(): Promise<number> {
    if (this.stopping) return 0;
    const free = SLOTS - this.attempts.size;
    if (free <= 0) return 0;
    const under = [...this.attempts.values()];
    const failing = under.filter(({ wasFailing }) => wasFailing).length;
    const claimed = await this.database.transaction((tx) =>
      this.deliveries.claim(tx, {
        total: free,
        failing: Math.max(0, FAILING_SLOTS - failing),
        perWebhook: PER_WEBHOOK,
        perAccount: PER_ACCOUNT,
        perHost: PER_HOST,
        busyWebhooks: countBy(under, ({ webhookId }) => webhookId),
        busyAccounts: countBy(under, ({ userId }) => userId),
        busyHosts: countBy(under, ({ host }) => host),
        leaseSeconds: LEASE_FACTOR * this.config.timeoutSeconds,
      }),
    );
    for (const delivery of claimed) this.begin(delivery);
    return claimed.length;
  }

  private begin(delivery: ClaimedDelivery): void {
    const attempt = this.attempt(delivery)
      .catch((error: unknown) =>
        this.logger.warn(
          `Webhook delivery ${delivery.id} could not be recorded and will be sent again: ${errorMessage(error)}`,
        ),
      )
      .finally(() => {
        this.attempts.delete(attempt);
        // Fills the slot that has become free. If it fails, the next regular run does it.
        this.claims.wake();
      });
    this.attempts.set(attempt, delivery);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const body = JSON.stringify(webhookPayload(delivery));
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Vitrine-Webhooks',
      ...signedHeaders(delivery.eventId, new Date(), body, delivery.secrets),
    };
    let result: SendResult;
    try {
      result = await this.sender.send(delivery.url, headers, body, this.stop.signal);
    } catch {
      return this.database.transaction((tx) => this.deliveries.release(tx, delivery));
    }
    await this.record(delivery, result);
  }

  private async record(delivery: ClaimedDelivery, result: SendResult): Promise<void> {
    const { webhookId, attempt } = delivery;
    const succeeded = result.error === null;
    const wait = result.status === GONE ? null : waitAfter(attempt, Math.random());
    const disabled = await this.database.transaction(async (tx) => {
      if (succeeded) await this.webhooks.noteSuccess(tx, webhookId);
      const failedFor = succeeded ? 0 : await this.webhooks.noteFailure(tx, webhookId);
      await this.deliveries.record(tx, delivery, result, wait);
      const reason = result.status === GONE ? 'gone' : failedFor > DISABLE_AFTER_SECONDS ? 'failing' : null;
      if (reason === null || !(await this.webhooks.disable(tx, webhookId, reason))) return null;
      await this.deliveries.giveUp(tx, webhookId, DISABLED_ERROR);
      return reason;
    });
    this.metrics.attempts.inc({ outcome: succeeded ? 'delivered' : wait === null ? 'failed' : 'retried' });
    if (disabled) this.metrics.disabled.inc({ reason: disabled });
  }
}

function countBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => number | string,
): Record<string, number> {
  const counts = new Map<number | string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return Object.fromEntries(counts);
}
