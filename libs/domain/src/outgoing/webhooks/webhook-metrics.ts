import { Injectable, Optional } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** Metrics of the deliveries of webhooks. */
@Injectable()
export class WebhookMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly disabled: Counter<'reason'>;
  readonly oldestDue: Gauge;

  constructor(@Optional() metrics?: Registry) {
    const registers = metrics ? [metrics] : [];
    this.attempts = new Counter({
      name: 'vitrine_webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook: delivered, retried, or failed (the last attempt).',
      labelNames: ['outcome'],
      registers,
    });
    this.disabled = new Counter({
      name: 'vitrine_webhooks_disabled_total',
      help: 'Webhooks that were disabled because of their receivers: failing or gone.',
      labelNames: ['reason'],
      registers,
    });
    this.oldestDue = new Gauge({
      name: 'vitrine_webhook_oldest_due_seconds',
      help: 'How long the oldest due delivery has been due, in seconds, at the last check.',
      registers,
    });
  }
}
