import { failureReason, UnprocessableFileError } from '../failures';
import type { JobResult, MediaJob } from './protocol';
import { WorkerCrashedError, WorkerProcess, type WorkerOptions } from './worker-process';

export interface WorkerPoolOptions extends WorkerOptions {
  /** Jobs at a time. */
  readonly size: number;
  /** Bytes of resident memory above which an idle worker is replaced. */
  readonly recycleAbove: number;
}

export interface JobHooks {
  readonly timeLimitMs: number;
  readonly onProgress: (percent: number) => void;
  /** A worker died of this job, and a fresh one is about to try it. */
  readonly onCrash: (error: Error) => void;
}

/** A few long-lived workers, one job each; the dead and the fat are replaced. */
export class WorkerPool {
  private readonly idle: WorkerProcess[] = [];
  private readonly busy = new Set<WorkerProcess>();
  private readonly waiting: (() => void)[] = [];
  private free: number;
  private closed = false;

  constructor(private readonly options: WorkerPoolOptions) {
    this.free = options.size;
  }

  /** Starts the workers ahead of the first job, and resolves when all can take one. Throws when one can't start. */
  async warmUp(): Promise<void> {
    const missing = this.free - this.idle.length;
    const fresh = Array.from({ length: Math.max(0, missing) }, () => new WorkerProcess(this.options));
    this.idle.push(...fresh);
    await Promise.all(fresh.map((worker) => worker.ready()));
  }

  /**
   * Runs a job on a free worker, or waits for one. A job whose worker dies is tried once more on a fresh worker.
   * Throws `UnprocessableFileError` where the file is at fault or kills both, and `Error` for anything that may pass.
   */
  async run(job: MediaJob, hooks: JobHooks): Promise<JobResult> {
    await this.acquire();
    try {
      try {
        return await this.runOn(this.takeWorker(), job, hooks);
      } catch (error) {
        if (!(error instanceof WorkerCrashedError) || this.closed) throw error;
        hooks.onCrash(error);
        return await this.runOn(new WorkerProcess(this.options), job, hooks);
      }
    } catch (error) {
      if (!(error instanceof WorkerCrashedError) || this.closed) throw error;
      throw new UnprocessableFileError(failureReason.crash, error.message);
    } finally {
      this.release();
    }
  }

  /** Ends all workers, busy ones too: drain first. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.idle.splice(0), ...this.busy].map((worker) => worker.kill()));
  }

  private async runOn(worker: WorkerProcess, job: MediaJob, hooks: JobHooks): Promise<JobResult> {
    this.busy.add(worker);
    try {
      return await worker.run(job, hooks.timeLimitMs, hooks.onProgress);
    } finally {
      this.busy.delete(worker);
      const reusable = worker.alive && !this.closed && (worker.memory ?? 0) <= this.options.recycleAbove;
      if (reusable) this.idle.push(worker);
      else await worker.kill();
    }
  }

  private takeWorker(): WorkerProcess {
    while (this.idle.length > 0) {
      const worker = this.idle.pop();
      if (worker?.alive) return worker;
    }
    return new WorkerProcess(this.options);
  }

  private async acquire(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
