import { BACKGROUND_NICENESS } from '@vitrine/concurrency';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import type { JobResult, MediaJob } from '../jobs/protocol';
import { type JobBudget, WorkerCrashedError, WorkerProcess, type WorkerOptions } from './worker-process';

/**
 * `quick` for work of about a second, `long` for work that may take minutes, `interactive` for work of a fraction of a second
 * for which a reader waits, `idle` for work that nobody waits for.
 */
export type JobLane = 'interactive' | 'quick' | 'long' | 'idle';

/** An idle job was not run, or was ended, because of other work. */
export class DisplacedError extends Error {
  override readonly name = 'DisplacedError';
}

export interface DecoderPoolOptions extends WorkerOptions {
  /** Jobs at the same time; at least 2, so that long jobs leave one place free. */
  readonly size: number;
  /** Bytes of resident memory above which an idle worker is replaced. */
  readonly recycleAbove: number;
  /** Milliseconds without a job after which a worker is ended. The next job starts one. */
  readonly restMs: number;
  /** Workers that are kept however long they have no job, so that an interactive job doesn't wait for a start. */
  readonly keptReady: number;
}

export interface JobHooks extends JobBudget {
  readonly lane: JobLane;
  readonly onProgress: (percent: number) => void;
  /** Takes over the result of a worker; if it throws, the worker is not used again. */
  readonly accept: (result: JobResult) => Promise<JobResult>;
  /** Called when a worker died during this job and a fresh one is about to try it. */
  readonly onCrash: (error: Error) => void;
}

/**
 * How much lower the priority of workers is than that of the services. Requests, which people wait for, get most of a
 * processor that both need, and a quick job most of one that it shares with a long one. Interactive jobs have the
 * workers of quick ones.
 */
const NICENESS: Readonly<Record<JobLane, number>> = {
  interactive: BACKGROUND_NICENESS,
  quick: BACKGROUND_NICENESS,
  long: 10,
  idle: 19,
};

/** Number of long jobs that may run at the same time in a pool of this size: all places but one. */
export const longPlaces = (size: number): number => Math.max(1, size - 1);

/**
 * Runs quick jobs in long-lived workers, one job at a time in each; workers that died or use too much memory are
 * replaced, and those without a job are ended after a rest. Each long job gets its own worker at a low priority.
 * Quick jobs may take every place, long ones all but one. If both wait, at least one place is for a long job, and
 * quick ones come first in all others. Interactive jobs run in the workers of quick ones and come before them, but
 * never twice in turn while others wait: however many readers wait, uploads get half of the places. An idle job
 * begins only while no other job runs or waits, has its own worker, and ends at once when another job can't get a
 * place.
 */
export class DecoderPool {
  /** The worker that was used last is at the end, and is used first. Each has a timer that ends its rest. */
  private readonly idle: { readonly worker: WorkerProcess; readonly timer: NodeJS.Timeout }[] = [];
  private readonly busy = new Set<WorkerProcess>();
  private readonly waiting: Readonly<Record<Exclude<JobLane, 'idle'>, (() => void)[]>> = {
    interactive: [],
    quick: [],
    long: [],
  };
  private readonly running = { interactive: 0, quick: 0, long: 0, idle: 0 };
  /** Ends the idle job that runs. */
  private displace: (() => void) | undefined;
  private wasInteractive = false;
  private closed = false;

  constructor(private readonly options: DecoderPoolOptions) {}

  /**
   * Starts the workers that are kept ready, or one that shows whether any can start and is ended again; others start when
   * jobs need them. Throws if one can't start.
   */
  async warmUp(): Promise<void> {
    const workers = Array.from({ length: Math.max(1, this.options.keptReady) }, () =>
      this.startWorker('quick'),
    );
    for (const worker of workers) this.rest(worker);
    await Promise.all(workers.map((worker) => worker.ready()));
    if (this.options.keptReady > 0) return;
    for (const { worker, timer } of this.idle.splice(0)) {
      clearTimeout(timer);
      await worker.kill();
    }
  }

  /**
   * Runs a job on a free worker, or waits for one. If the worker dies, a fresh worker tries the job again. Throws
   * `UnprocessableFileError` if the file is at fault or kills both, and `Error` for failures that may be temporary.
   */
  async run(job: MediaJob, hooks: JobHooks): Promise<JobResult> {
    const { lane } = hooks;
    if (lane === 'idle') return this.runIdle(job, hooks);
    await this.acquire(lane);
    try {
      try {
        return await this.runOn(lane === 'long' ? this.startWorker(lane) : this.takeWorker(), job, hooks);
      } catch (error) {
        if (!(error instanceof WorkerCrashedError) || this.closed) throw error;
        hooks.onCrash(error);
        return await this.runOn(this.startWorker(lane), job, hooks);
      }
    } catch (error) {
      if (!(error instanceof WorkerCrashedError) || this.closed) throw error;
      throw new UnprocessableFileError(failureReason.crash, error.message);
    } finally {
      this.release(lane);
    }
  }

  /** Whether no job runs or waits. */
  get isIdle(): boolean {
    return this.nobodyWaits() && !Object.values(this.running).some((count) => count > 0);
  }

  /** Number of workers that wait for a job. */
  get resting(): number {
    return this.idle.length;
  }

  /** Number of working workers, by lane. */
  get working(): Readonly<Record<JobLane, number>> {
    return this.running;
  }

  /** Ends all workers, including busy ones: drain first. */
  async close(): Promise<void> {
    this.closed = true;
    const idle = this.idle.splice(0);
    for (const { timer } of idle) clearTimeout(timer);
    await Promise.all([...idle.map(({ worker }) => worker), ...this.busy].map((worker) => worker.kill()));
  }

  /** Throws `DisplacedError` if the job can't run now, or not to its end. It gets no second worker. */
  private async runIdle(job: MediaJob, hooks: JobHooks): Promise<JobResult> {
    if (!this.isIdle) throw new DisplacedError('Other jobs run or wait');
    this.running.idle++;
    let isDisplaced = false;
    try {
      const worker = this.startWorker('idle');
      this.displace = () => {
        isDisplaced = true;
        void worker.kill();
      };
      return await this.runOn(worker, job, hooks);
    } catch (error) {
      if (isDisplaced) throw new DisplacedError('Another job needed its place');
      if (!(error instanceof WorkerCrashedError) || this.closed) throw error;
      throw new UnprocessableFileError(failureReason.crash, error.message);
    } finally {
      this.displace = undefined;
      this.release('idle');
    }
  }

  private async runOn(worker: WorkerProcess, job: MediaJob, hooks: JobHooks): Promise<JobResult> {
    this.busy.add(worker);
    let trusted = true;
    try {
      const result = await worker.run(job, hooks, hooks.onProgress);
      trusted = false;
      const accepted = await hooks.accept(result);
      trusted = true;
      return accepted;
    } finally {
      this.busy.delete(worker);
      const isSmall = (worker.memory ?? 0) <= this.options.recycleAbove;
      const isKept = hooks.lane !== 'long' && hooks.lane !== 'idle';
      // A raised niceness can't be lowered again, and this frees the memory of a long job.
      if (trusted && isKept && worker.alive && !this.closed && isSmall) this.rest(worker);
      else await worker.kill();
      this.replaceReady();
    }
  }

  /** Starts a worker in place of one that was kept ready and is dead, if the machine has room for one. */
  private replaceReady(): void {
    const workers = this.idle.length + this.busy.size;
    if (this.closed || workers >= this.options.keptReady) return;
    try {
      this.rest(this.startWorker('quick'));
    } catch {
      // The next job starts one, or fails with the reason. The job that has just ended keeps its result.
    }
  }

  private takeWorker(): WorkerProcess {
    for (let rested = this.idle.pop(); rested; rested = this.idle.pop()) {
      clearTimeout(rested.timer);
      if (rested.worker.alive) return rested.worker;
    }
    return this.startWorker('quick');
  }

  private rest(worker: WorkerProcess): void {
    const timer = setTimeout(() => {
      // The timer of the worker that was used last ends last.
      if (this.idle.length <= this.options.keptReady) return;
      this.idle.splice(this.idle.indexOf(rested), 1);
      void worker.kill();
    }, this.options.restMs);
    const rested = { worker, timer };
    this.idle.push(rested);
  }

  private startWorker(lane: JobLane): WorkerProcess {
    if (this.closed) throw new Error('The pool is closed');
    return new WorkerProcess(this.options, NICENESS[lane]);
  }

  private async acquire(lane: Exclude<JobLane, 'idle'>): Promise<void> {
    const place = new Promise<void>((resolve) => this.waiting[lane].push(resolve));
    this.startNext();
    await place;
  }

  private release(lane: JobLane): void {
    this.running[lane]--;
    this.startNext();
  }

  private startNext(): void {
    for (let lane = this.nextLane(); lane; lane = this.nextLane()) {
      this.running[lane]++;
      this.wasInteractive = lane === 'interactive';
      this.waiting[lane].shift()?.();
    }
    if (!this.nobodyWaits()) this.displace?.();
  }

  /** Whether no job waits. */
  private nobodyWaits(): boolean {
    return Object.values(this.waiting).every((queue) => queue.length === 0);
  }

  /** The job whose turn it is; undefined if no job waits, or no waiting job may begin. */
  private nextLane(): Exclude<JobLane, 'idle'> | undefined {
    const { running, waiting, options } = this;
    const taken = running.interactive + running.quick + running.long + running.idle;
    if (taken >= options.size) return undefined;
    const ordinary = this.nextOrdinary();
    return waiting.interactive.length > 0 && (!this.wasInteractive || !ordinary) ? 'interactive' : ordinary;
  }

  private nextOrdinary(): 'quick' | 'long' | undefined {
    const { running, waiting, options } = this;
    const mayStartLong = waiting.long.length > 0 && running.long < longPlaces(options.size);
    if (mayStartLong && (running.long === 0 || waiting.quick.length === 0)) return 'long';
    return waiting.quick.length > 0 ? 'quick' : undefined;
  }
}
