import type { Worker } from 'node:worker_threads';

/** What a worker says: once that it is ready, and then one answer to each message. */
export type WorkerAnswer<Result> = 'ready' | { readonly result: Result } | { readonly error: string };

export interface WorkerPoolOptions {
  /** Starts one worker thread. */
  readonly spawn: () => Worker;
  /** Threads. */
  readonly size: number;
  /** Milliseconds that one job may take, and that a thread may take to get ready. */
  readonly timeoutMs: number;
  /** Jobs that may wait for a thread. */
  readonly maxWaiting: number;
  /** Told of each thread that died, and why. */
  readonly onDeath: (reason: string) => void;
}

/** A job that no worker could finish: its worker died or took too long, there were too many jobs, or the pool closed. */
export class WorkerPoolError extends Error {
  override readonly name = 'WorkerPoolError';
}

interface Job<Input, Result> {
  readonly input: Input;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** A thread and what it is at. */
interface Slot<Input, Result> {
  readonly worker: Worker;
  ready: boolean;
  job: Job<Input, Result> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Waits before a thread that died is replaced: 0.1 s, doubled with each death in a row, at most this. */
const LONGEST_RESPAWN_MS = 30_000;

/**
 * Worker threads that take one job at a time. A thread that dies or hangs fails its job alone and is replaced.
 * Nothing is tried twice here: that is the caller's to decide.
 */
export class WorkerPool<Input, Result> {
  private readonly slots = new Set<Slot<Input, Result>>();
  private readonly waiting: Job<Input, Result>[] = [];
  private readonly respawns = new Set<NodeJS.Timeout>();
  private deathsInARow = 0;
  private closed = false;

  constructor(private readonly options: WorkerPoolOptions) {
    for (let index = 0; index < options.size; index++) this.spawn();
  }

  /** Whether any thread can take jobs. */
  ready(): boolean {
    return [...this.slots].some((slot) => slot.ready);
  }

  /** Rejects with `WorkerPoolError`, or with the worker's own complaint. */
  run(input: Input): Promise<Result> {
    if (this.closed) return Promise.reject(new WorkerPoolError('The pool is closed'));
    if (this.waiting.length >= this.options.maxWaiting) {
      return Promise.reject(new WorkerPoolError('Too many jobs are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      this.assign();
    });
  }

  /** Ends every thread; jobs under way are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.respawns) clearTimeout(timer);
    for (const job of this.waiting.splice(0)) job.reject(new WorkerPoolError('The pool is closed'));
    await Promise.all([...this.slots].map((slot) => slot.worker.terminate()));
  }

  private spawn(): void {
    const slot: Slot<Input, Result> = {
      worker: this.options.spawn(),
      ready: false,
      job: undefined,
      timer: undefined,
    };
    this.slots.add(slot);
    this.limit(slot, 'it took too long to get ready');
    let reason = 'it ended';
    slot.worker.on('message', (answer: WorkerAnswer<Result>) => this.hear(slot, answer));
    slot.worker.on('error', (error: unknown) => (reason = String(error)));
    slot.worker.on('exit', () => this.bury(slot, reason));
  }

  private hear(slot: Slot<Input, Result>, answer: WorkerAnswer<Result>): void {
    clearTimeout(slot.timer);
    const { job } = slot;
    slot.job = undefined;
    slot.ready = true;
    if (answer !== 'ready') {
      this.deathsInARow = 0;
      if ('error' in answer) job?.reject(new Error(answer.error));
      else job?.resolve(answer.result);
    }
    this.assign();
  }

  private assign(): void {
    for (const slot of this.slots) {
      if (!slot.ready || slot.job) continue;
      const job = this.waiting.shift();
      if (!job) return;
      slot.job = job;
      this.limit(slot, 'its job took too long');
      slot.worker.postMessage(job.input);
    }
  }

  private limit(slot: Slot<Input, Result>, complaint: string): void {
    slot.timer = setTimeout(() => {
      this.bury(slot, complaint);
      void slot.worker.terminate();
    }, this.options.timeoutMs);
  }

  private bury(slot: Slot<Input, Result>, reason: string): void {
    clearTimeout(slot.timer);
    if (!this.slots.delete(slot)) return;
    slot.job?.reject(new WorkerPoolError(`The worker died: ${reason}`));
    if (this.closed) return;
    this.options.onDeath(reason);
    const delay = Math.min(100 * 2 ** this.deathsInARow++, LONGEST_RESPAWN_MS);
    const timer = setTimeout(() => {
      this.respawns.delete(timer);
      this.spawn();
    }, delay);
    this.respawns.add(timer);
  }
}
