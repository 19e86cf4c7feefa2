import { Injectable } from '@nestjs/common';
import { CachePurges } from '@vitrine/domain';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { CachePurgers } from './cache-purgers';
import { Sweep } from '@vitrine/runtime';

/** Metrics of the purges of caches. */
@Injectable()
export class CachePurgeMetrics {
  /** Media that a cache was told of, by outcome: purged, failed (it is tried again) or dead (the last attempt). */
  readonly purges: Counter<'cache' | 'outcome'>;
  /** Seconds from the request to the end of its first successful purge. */
  readonly delay: Histogram<'cache'>;
  private readonly waiting: Gauge<'cache'>;
  private readonly dead: Gauge<'cache'>;
  private readonly oldestDue: Gauge<'cache'>;

  constructor(
    registry: Registry,
    private readonly queue: CachePurges,
    private readonly purgers: CachePurgers,
  ) {
    const registers = [registry];
    this.purges = new Counter({
      name: 'vitrine_cache_purges_total',
      help: 'Purges of media: purged, failed (tried again), or dead (the last attempt failed).',
      labelNames: ['cache', 'outcome'],
      registers,
    });
    this.delay = new Histogram({
      name: 'vitrine_cache_purge_delay_seconds',
      help: 'Seconds from the request for a purge to the end of the first successful one.',
      labelNames: ['cache'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600, 3600],
      registers,
    });
    this.waiting = new Gauge({
      name: 'vitrine_cache_purges_waiting',
      help: 'Media that a cache must still forget, at the last check.',
      labelNames: ['cache'],
      registers,
    });
    this.dead = new Gauge({
      name: 'vitrine_cache_purges_dead',
      help: 'Media whose purge was given up after its last attempt, at the last check.',
      labelNames: ['cache'],
      registers,
    });
    this.oldestDue = new Gauge({
      name: 'vitrine_cache_purge_oldest_due_seconds',
      help: 'How long the oldest due purge has been due, in seconds, at the last check.',
      labelNames: ['cache'],
      registers,
    });
  }

  /** Measures the backlog of each configured cache. */
  async measure(): Promise<void> {
    const backlogs = await this.queue.findBacklogs();
    for (const cache of this.purgers.names) {
      const backlog = backlogs.find((each) => each.cache === cache);
      this.waiting.set({ cache }, backlog?.waiting ?? 0);
      this.dead.set({ cache }, backlog?.dead ?? 0);
      this.oldestDue.set({ cache }, backlog?.oldestDue ?? 0);
    }
  }
}

/** Measures the purges that wait. */
@Injectable()
export class CachePurgeSweep extends Sweep {
  readonly name = 'cache purge metrics';
  readonly intervalSeconds = 15;

  constructor(
    private readonly metrics: CachePurgeMetrics,
    private readonly purgers: CachePurgers,
  ) {
    super();
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    if (this.purgers.names.length > 0) await this.metrics.measure();
    return {};
  }
}
