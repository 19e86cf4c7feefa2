import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Backoff } from '@vitrine/concurrency';

/** What a child sends: `ready` once, and then one answer to each message. */
export type PoolAnswer<Result> = 'ready' | { readonly result: Result } | { readonly error: string };

export interface ClassifierPoolOptions {
  /** Starts one child process with an IPC channel. */
  readonly spawn: () => ChildProcess;
  /** The largest number of children. */
  readonly size: number;
  /** The longest time for a child to become ready, in milliseconds. */
  readonly startTimeoutMs: number;
  /** The longest time for one job, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds without a job after which a child is ended. The next job starts one again. */
  readonly restMs: number;
  /** The largest number of jobs that wait for a child. */
  readonly maxWaiting: number;
  /** Called for each child that died or was killed because it took too long, with the reason. */
  readonly onDeath: (reason: string) => void;
}

/**
 * No child finished the job: its child died or took too long, too many jobs were waiting, or the pool was closed.
 */
export class ClassifierPoolError extends Error {
  override readonly name = 'ClassifierPoolError';
}

interface Job<Input, Result> {
  readonly input: Input;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** A child and the job that it is doing. The timer limits its time: at work, at the start, or at rest. */
interface Slot<Input, Result> {
  readonly child: ChildProcess;
  ready: boolean;
  job: Job<Input, Result> | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Child processes that do one job at a time, started when jobs need them. If a child dies or hangs, only its own job
 * fails, and the child is replaced. The pool doesn't repeat a job; the caller decides about that.
 */
export class ClassifierPool<Input, Result> {
  private readonly slots = new Set<Slot<Input, Result>>();
  private readonly waiting: Job<Input, Result>[] = [];
  private readonly respawns = new Set<NodeJS.Timeout>();
  /** Delays before a child that died is replaced; they grow with each death until a child gives an answer. */
  private readonly backoff = new Backoff({ firstMs: 100, longestMs: 30_000 });
  private able = true;
  private closed = false;

  constructor(private readonly options: ClassifierPoolOptions) {}

  /** False from the death of a child until one is ready. A child that was ended because it had no job did not die. */
  ready(): boolean {
    return this.able;
  }

  /** Number of children that run. */
  get children(): number {
    return this.slots.size;
  }

  /** Rejects with `ClassifierPoolError`, or with the error that the child sent. */
  run(input: Input): Promise<Result> {
    if (this.closed) return Promise.reject(new ClassifierPoolError('The pool is closed'));
    if (this.waiting.length >= this.options.maxWaiting) {
      return Promise.reject(new ClassifierPoolError('Too many jobs are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      this.assign();
      if (this.waiting.length > this.starting() && this.slots.size + this.respawns.size < this.options.size)
        this.spawn();
    });
  }

  /** Kills every child. Jobs that are waiting or in progress are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.respawns) clearTimeout(timer);
    for (const job of this.waiting.splice(0)) job.reject(new ClassifierPoolError('The pool is closed'));
    await Promise.all(
      [...this.slots].map(async ({ child }) => {
        if (child.pid === undefined) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
  }

  /** Children that will take a waiting job as soon as they are ready. */
  private starting(): number {
    return [...this.slots].filter((slot) => !slot.ready).length;
  }

  private spawn(): void {
    const slot: Slot<Input, Result> = {
      child: this.options.spawn(),
      ready: false,
      job: undefined,
      timer: undefined,
    };
    this.slots.add(slot);
    this.limitTime(slot, this.options.startTimeoutMs, 'it took too long to get ready');
    slot.child.on('message', (answer) => this.handle(slot, answer as PoolAnswer<Result>));
    slot.child.on('error', (error: unknown) => this.replace(slot, String(error)));
    slot.child.on('exit', (code, signal) => this.replace(slot, `it ended with ${signal ?? code}`));
  }

  private handle(slot: Slot<Input, Result>, answer: PoolAnswer<Result>): void {
    if (!this.slots.has(slot)) return;
    const { job } = slot;
    slot.job = undefined;
    slot.ready = true;
    this.able = true;
    this.limitRest(slot);
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
      this.limitTime(slot, this.options.timeoutMs, 'its job took too long');
      // If the child is gone, its exit rejects the job.
      slot.child.send(job.input as object, () => undefined);
    }
  }

  private limitTime(slot: Slot<Input, Result>, milliseconds: number, reason: string): void {
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => {
      this.replace(slot, reason);
      slot.child.kill('SIGKILL');
    }, milliseconds);
  }

  private limitRest(slot: Slot<Input, Result>): void {
    clearTimeout(slot.timer);
    slot.timer = setTimeout(() => {
      this.slots.delete(slot);
      slot.child.kill('SIGKILL');
    }, this.options.restMs);
  }

  private replace(slot: Slot<Input, Result>, reason: string): void {
    clearTimeout(slot.timer);
    if (!this.slots.delete(slot)) return;
    this.able = false;
    slot.job?.reject(new ClassifierPoolError(`The child died: ${reason}`));
    if (this.closed) return;
    this.options.onDeath(reason);
    const timer = setTimeout(() => {
      this.respawns.delete(timer);
      this.spawn();
    }, this.backoff.afterFailure());
    this.respawns.add(timer);
  }
}
