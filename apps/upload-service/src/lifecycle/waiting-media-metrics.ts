import { Injectable } from '@nestjs/common';
import { ProcessingTurns } from '@vitrine/domain';
import { scrapedGauge } from '@vitrine/runtime';
import { Registry } from 'prom-client';

/** How many media wait for their variants, and for how long: what visitors notice of a processor that lags behind. */
@Injectable()
export class WaitingMediaMetrics {
  private looking: ReturnType<ProcessingTurns['findBacklog']> | undefined;

  constructor(
    registry: Registry,
    private readonly turns: ProcessingTurns,
  ) {
    scrapedGauge({
      name: 'vitrine_media_waiting',
      help: 'Media that wait for their variants, by line: quick or long work, or behind those of other uploaders; 100000 in total means that many or more.',
      labelNames: ['line'],
      registry,
      read: async () => (await this.look()).map(({ line, count }) => ({ labels: { line }, value: count })),
    });
    scrapedGauge({
      name: 'vitrine_media_waiting_oldest_seconds',
      help: 'For how long the first of them has waited since it was uploaded, or sent through processing again.',
      labelNames: ['line'],
      registry,
      read: async () =>
        (await this.look()).map(({ line, oldestSeconds }) => ({ labels: { line }, value: oldestSeconds })),
    });
  }

  /** A scrape reads both gauges at once: one look serves them. */
  private look(): ReturnType<ProcessingTurns['findBacklog']> {
    this.looking ??= this.turns.findBacklog().finally(() => (this.looking = undefined));
    return this.looking;
  }
}
