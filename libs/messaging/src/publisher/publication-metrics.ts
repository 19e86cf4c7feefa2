import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Counts the publications of this process by outcome. */
@Injectable()
export class PublicationMetrics {
  private readonly published: Counter<'event' | 'outcome'>;

  constructor(registry: Registry) {
    this.published = new Counter({
      name: 'vitrine_bus_published_total',
      help: 'Publications by outcome: confirmed by the bus, or failed. Failed ones are tried again.',
      labelNames: ['event', 'outcome'],
      registers: [registry],
    });
  }

  /** Runs `publish` and counts its outcome; rejects if it rejects. */
  async count(event: string, publish: () => Promise<void>): Promise<void> {
    try {
      await publish();
    } catch (error) {
      this.published.inc({ event, outcome: 'failed' });
      throw error;
    }
    this.published.inc({ event, outcome: 'confirmed' });
  }
}
