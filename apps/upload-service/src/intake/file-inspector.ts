import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { InspectionOutcome } from './inspection-outcome';
import { Slots } from './slots';

const WORKER = join(__dirname, 'inspection.worker.js');
const THREADS = 2;
/** Honest files take well below a second. */
const TIME_LIMIT_MS = 30_000;
const MEMORY_LIMIT_MB = 256;
/** Buffers live outside of the heap; frequent small collections are what frees them. */
const YOUNG_LIMIT_MB = 4;

/**
 * Looks at strangers' files in threads of their own: one that is made to be slow keeps nobody else waiting, and one
 * that finds an endless loop or a leak in a parser costs its thread and nothing more.
 */
@Injectable()
export class FileInspector implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(FileInspector.name);
  private readonly slots = new Slots(THREADS);
  private readonly idle: Worker[] = [];

  onApplicationBootstrap(): void {
    for (let i = 0; i < THREADS; i++) this.idle.push(this.start());
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.idle.map((worker) => worker.terminate()));
  }

  /** Never throws for what is in the file. */
  inspect(path: string): Promise<InspectionOutcome> {
    return this.slots.run(async () => {
      const worker = this.idle.pop() ?? this.start();
      const outcome = await this.ask(worker, path);
      if (outcome === null) {
        await worker.terminate();
        this.idle.push(this.start());
        return { refusal: 'unreadable' };
      }
      this.idle.push(worker);
      if ('problem' in outcome) this.logger.error(`A parser failed: ${outcome.problem}`);
      return outcome;
    });
  }

  /** Null where the worker died of it, or took too long. */
  private async ask(worker: Worker, path: string): Promise<InspectionOutcome | null> {
    const settled = new AbortController();
    const { signal } = settled;
    try {
      const answer = once(worker, 'message', { signal }) as Promise<[InspectionOutcome]>;
      worker.postMessage(path);
      const first = await Promise.race([answer, sleep(TIME_LIMIT_MS, null, { signal })]);
      if (first === null) this.logger.error(`Looking at a file took more than ${TIME_LIMIT_MS} ms`);
      return first && first[0];
    } catch (error) {
      this.logger.error(`A file has ended the thread that looked at it: ${(error as Error).message}`);
      return null;
    } finally {
      settled.abort();
    }
  }

  private start(): Worker {
    const worker = new Worker(WORKER, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: YOUNG_LIMIT_MB },
    });
    // Whoever waits for its answer hears of an error too; an idle thread must not take the process with it.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
    });
    worker.unref();
    return worker;
  }
}
