import { Injectable } from '@nestjs/common';
import { MediaService } from '@vitrine/domain';
import { scrapedGauge } from '@vitrine/runtime';
import { Registry } from 'prom-client';

/** How many media wait for their variants, and for how long: what visitors notice of a processor that lags behind. */
@Injectable()
export class WaitingMediaMetrics {
  private looking: ReturnType<MediaService['findBacklog']> | undefined;

  constructor(
    registry: Registry,
    private readonly media: MediaService,
  ) {
    scrapedGauge({
      name: 'vitrine_media_waiting',
      help: 'Media that are neither processed nor given up; 100000 stands for that many or more.',
      labelNames: [],
      registry,
      read: async () => [{ labels: {}, value: (await this.look()).count }],
    });
    scrapedGauge({
      name: 'vitrine_media_waiting_oldest_seconds',
      help: 'For how long the first of them has waited since it was uploaded, or sent through processing again.',
      labelNames: [],
      registry,
      read: async () => [{ labels: {}, value: (await this.look()).oldestSeconds }],
    });
  }

  /** A scrape reads both gauges at once: one look serves them. */
  private look(): ReturnType<MediaService['findBacklog']> {
    this.looking ??= this.media.findBacklog().finally(() => (this.looking = undefined));
    return this.looking;
  }
}
