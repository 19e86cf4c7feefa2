import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Lane } from '../worker/worker-pool';

/**
 * How a job ended: variants made, the file refused for good, too slow for quick work, or a failure that may be temporary.
 */
export type Outcome = 'processed' | 'refused' | 'overran' | 'failed';

/** What this process tells Prometheus of its jobs. */
@Injectable()
export class ProcessingMetrics {
  private readonly jobs: Counter<'kind' | 'outcome'>;
  private readonly seconds: Histogram<'kind'>;
  private readonly crashes: Counter;

  constructor(private readonly registry: Registry) {
    this.jobs = new Counter({
      name: 'vitrine_media_jobs_total',
      help: 'Files worked on, by kind and by how it ended.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    this.seconds = new Histogram({
      name: 'vitrine_media_job_seconds',
      help: 'Seconds from taking a file to its variants being stored.',
      labelNames: ['kind'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1500],
      registers: [registry],
    });
    this.crashes = new Counter({
      name: 'vitrine_media_worker_crashes_total',
      help: 'Workers that died of a file.',
      registers: [registry],
    });
  }

  ended(kind: string, outcome: Outcome, milliseconds: number): void {
    this.jobs.inc({ kind, outcome });
    this.seconds.observe({ kind }, milliseconds / 1000);
  }

  /** `working` tells how many workers of each lane have a job; it is called at each scrape. */
  watchWorkers(working: () => Readonly<Record<Lane, number>>): void {
    new Gauge({
      name: 'vitrine_media_busy_workers',
      help: 'Workers that have a file to decode, by lane.',
      labelNames: ['lane'],
      registers: [this.registry],
      collect() {
        for (const [lane, count] of Object.entries(working())) this.set({ lane }, count);
      },
    });
  }

  crashed(): void {
    this.crashes.inc();
  }
}
