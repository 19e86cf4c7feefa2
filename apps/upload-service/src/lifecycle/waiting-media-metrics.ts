import { Injectable } from '@nestjs/common';
import { ProcessingTurns } from '@vitrine/domain';
import { scrapedGauge } from '@vitrine/runtime';
import { Registry } from 'prom-client';

/** Metrics of media that wait for their variants: their number and the longest wait. */
@Injectable()
export class WaitingMediaMetrics {
  private backlog: ReturnType<ProcessingTurns['findBacklog']> | undefined;

  constructor(
    registry: Registry,
    private readonly turns: ProcessingTurns,
  ) {
    scrapedGauge({
      name: 'vitrine_media_waiting',
      help: 'Media that wait for their variants, by line: quick or long work, or behind those of other uploaders; 100000 in total means that many or more.',
      labelNames: ['line'],
      registry,
      read: async () =>
        (await this.findBacklog()).map(({ line, count }) => ({ labels: { line }, value: count })),
    });
    scrapedGauge({
      name: 'vitrine_media_waiting_oldest_seconds',
      help: 'Seconds that the first of them has waited since its upload, or since it was sent through processing again.',
      labelNames: ['line'],
      registry,
      read: async () =>
        (await this.findBacklog()).map(({ line, oldestSeconds }) => ({
          labels: { line },
          value: oldestSeconds,
        })),
    });
  }

  /** One query serves both gauges of a scrape. */
  private findBacklog(): ReturnType<ProcessingTurns['findBacklog']> {
    this.backlog ??= this.turns.findBacklog().finally(() => (this.backlog = undefined));
    return this.backlog;
  }
}
