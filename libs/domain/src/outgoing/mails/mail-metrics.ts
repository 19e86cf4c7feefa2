import { Injectable, Optional } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** Metrics of the sending of mails. */
@Injectable()
export class MailMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly oldestDue: Gauge;

  constructor(@Optional() metrics?: Registry) {
    const registers = metrics ? [metrics] : [];
    this.attempts = new Counter({
      name: 'vitrine_mail_attempts_total',
      help: 'Attempts to send a mail: sent, retried, failed (refused or too late), unknown (the answer of the server was lost), or skipped (no server is configured).',
      labelNames: ['outcome'],
      registers,
    });
    this.oldestDue = new Gauge({
      name: 'vitrine_mail_oldest_due_seconds',
      help: 'How long the oldest due mail has been due, in seconds, at the last check.',
      registers,
    });
  }
}
