import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** What became of the events that this process published. */
@Injectable()
export class PublicationMetrics {
  private readonly published: Counter<'event' | 'outcome'>;

  constructor(registry: Registry) {
    this.published = new Counter({
      name: 'vitrine_bus_published_total',
      help: 'Publications by outcome: confirmed by the bus, or failed, to be tried again.',
      labelNames: ['event', 'outcome'],
      registers: [registry],
    });
  }

  /** Counts one publication by how `publish` ends. */
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
