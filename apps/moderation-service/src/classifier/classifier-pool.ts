import type { Worker } from 'node:worker_threads';
import { Backoff } from '@vitrine/concurrency';

/** What a worker sends: `ready` once, and then one answer to each message. */
export type WorkerAnswer<Result> = 'ready' | { readonly result: Result } | { readonly error: string };

export interface ClassifierPoolOptions {
  /** Starts one worker thread. */
  readonly spawn: () => Worker;
  /** The number of threads. */
  readonly size: number;
  /** The longest time for one job, and for a thread to become ready, in milliseconds. */
  readonly timeoutMs: number;
  /** The largest number of jobs that wait for a thread. */
  readonly maxWaiting: number;
  /** Called for each thread that died or was terminated, with the reason. */
  readonly onDeath: (reason: string) => void;
}

/**
 * No worker finished the job: its worker died or took too long, too many jobs were waiting, or the pool was closed.
 */
export class ClassifierPoolError extends Error {
  override readonly name = 'ClassifierPoolError';
}

interface Job<Input, Result> {
  readonly input: Input;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** A thread and the job that it is doing. */
interface Slot<Input, Result> {
  readonly worker: Worker;
  ready: boolean;
  job: Job<Input, Result> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Worker threads that do one job at a time. If a thread dies or hangs, only its own job fails, and the thread is
 * replaced. The pool doesn't repeat a job; the caller decides about that. Why not piscina: it replaces a dead
 * thread without a delay, so a model that can't be loaded would keep a core busy; it has no time limit
 * for a thread to become ready; and it can limit a job's time only by an abort signal, which also counts the time in
 * the queue.
 */
export class ClassifierPool<Input, Result> {
  private readonly slots = new Set<Slot<Input, Result>>();
  private readonly waiting: Job<Input, Result>[] = [];
  private readonly respawns = new Set<NodeJS.Timeout>();
  /** Delays before a thread that died is replaced; they grow with each death until a thread gives an answer. */
  private readonly backoff = new Backoff({ firstMs: 100, longestMs: 30_000 });
  private closed = false;

  constructor(private readonly options: ClassifierPoolOptions) {
    for (let index = 0; index < options.size; index++) this.spawn();
  }

  /** Whether at least one thread is ready for jobs. */
  ready(): boolean {
    return [...this.slots].some((slot) => slot.ready);
  }

  /** Rejects with `ClassifierPoolError`, or with the error that the worker sent. */
  run(input: Input): Promise<Result> {
    if (this.closed) return Promise.reject(new ClassifierPoolError('The pool is closed'));
    if (this.waiting.length >= this.options.maxWaiting) {
      return Promise.reject(new ClassifierPoolError('Too many jobs are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      this.assign();
    });
  }

  /** Terminates every thread. Jobs that are waiting or in progress are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.respawns) clearTimeout(timer);
    for (const job of this.waiting.splice(0)) job.reject(new ClassifierPoolError('The pool is closed'));
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
    this.limitTime(slot, 'it took too long to get ready');
    let reason = 'it ended';
    slot.worker.on('message', (answer: WorkerAnswer<Result>) => this.handle(slot, answer));
    slot.worker.on('error', (error: unknown) => (reason = String(error)));
    slot.worker.on('exit', () => this.replace(slot, reason));
  }

  private handle(slot: Slot<Input, Result>, answer: WorkerAnswer<Result>): void {
    clearTimeout(slot.timer);
    const { job } = slot;
    slot.job = undefined;
    slot.ready = true;
    if (answer !== 'ready') {
      this.backoff.reset();
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
      this.limitTime(slot, 'its job took too long');
      slot.worker.postMessage(job.input);
    }
  }

  private limitTime(slot: Slot<Input, Result>, reason: string): void {
    slot.timer = setTimeout(() => {
      this.replace(slot, reason);
      void slot.worker.terminate();
    }, this.options.timeoutMs);
  }

  private replace(slot: Slot<Input, Result>, reason: string): void {
    clearTimeout(slot.timer);
    if (!this.slots.delete(slot)) return;
    slot.job?.reject(new ClassifierPoolError(`The worker died: ${reason}`));
    if (this.closed) return;
    this.options.onDeath(reason);
    const timer = setTimeout(() => {
      this.respawns.delete(timer);
      this.spawn();
    }, this.backoff.afterFailure());
    this.respawns.add(timer);
  }
}
