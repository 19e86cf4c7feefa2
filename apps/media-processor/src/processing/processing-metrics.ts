import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { JobLane } from '../decoders/decoder-pool';
import { UnprocessableFileError } from '../failures/failures';
import type { IsolationLevel } from '../isolation/isolation';

/**
 * How a job ended: variants made, the file refused permanently, too slow for quick work, a failure that may be
 * temporary, a request that came too late to be of use, or idle work that other work displaced.
 */
export type ProcessingOutcome = 'processed' | 'refused' | 'overran' | 'failed' | 'stale' | 'displaced';

/** A job that has begun. */
export interface MeasuredJob {
  /** Milliseconds since its beginning. */
  took(): number;
  ended(outcome: ProcessingOutcome): void;
  /** Records that it ended with an error. Returns the error if the file is at fault, otherwise throws it. */
  refusal(error: unknown): UnprocessableFileError;
}

/** The metrics of this process's jobs. */
@Injectable()
export class ProcessingMetrics {
  private readonly jobs: Counter<'kind' | 'outcome'>;
  private readonly seconds: Histogram<'kind'>;
  private readonly crashes: Counter;

  constructor(private readonly registry: Registry) {
    this.jobs = new Counter({
      name: 'vitrine_media_jobs_total',
      help: 'Processed files, removed variants that were made again (kind variant), and photographs whose sizes were made in other formats (kind alternatives), by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    this.seconds = new Histogram({
      name: 'vitrine_media_job_seconds',
      help: 'Seconds from the start of a job until its variants are stored.',
      labelNames: ['kind'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1500],
      registers: [registry],
    });
    this.crashes = new Counter({
      name: 'vitrine_media_worker_crashes_total',
      help: 'Workers that died while they processed a file.',
      registers: [registry],
    });
  }

  /** Begins to measure a job. */
  begin(kind: string): MeasuredJob {
    const began = performance.now();
    const took = (): number => Math.round(performance.now() - began);
    const ended = (outcome: ProcessingOutcome): void => {
      this.jobs.inc({ kind, outcome });
      this.seconds.observe({ kind }, took() / 1000);
    };
    const refusal = (error: unknown): UnprocessableFileError => {
      const isAtFault = error instanceof UnprocessableFileError;
      ended(isAtFault ? 'refused' : 'failed');
      if (!isAtFault) throw error;
      return error;
    };
    return { took, ended, refusal };
  }

  /** `working` returns the number of working workers of each lane; it is called at each scrape. */
  watchWorkers(working: () => Readonly<Record<JobLane, number>>): void {
    new Gauge({
      name: 'vitrine_media_busy_workers',
      help: 'Workers that are processing a file, by lane.',
      labelNames: ['lane'],
      registers: [this.registry],
      collect() {
        for (const [lane, count] of Object.entries(working())) this.set({ lane }, count);
      },
    });
  }

  /** Records how well decoders are isolated here. */
  isolatedBy(kind: IsolationLevel): void {
    new Gauge({
      name: 'vitrine_decoder_isolation',
      help: 'How decoders are isolated: 1 for the kind that is used. Only `sandbox` is enough for files of strangers.',
      labelNames: ['kind'],
      registers: [this.registry],
    }).set({ kind }, 1);
  }

  crashed(): void {
    this.crashes.inc();
  }
}
