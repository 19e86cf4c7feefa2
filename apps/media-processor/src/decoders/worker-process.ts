import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, constants } from 'node:os';
import { withDeadline } from '@vitrine/concurrency';
import { LONGEST_VIDEO_SECONDS } from '@vitrine/contracts';
import { DiskFullError, failureReason, saysDiskFull, UnprocessableFileError } from '../failures/failures';
import { type Isolation, type IsolatedProcess, startIsolated } from '../isolation/isolation';
import type { WorkerChannel } from '../isolation/worker-channel';
import { UntrustedOutputError, type WorkerFolder } from '../isolation/worker-folder';
import { type JobResult, type MediaJob, readReply, type WorkerRequest } from '../jobs/protocol';
import { mappedMemoryLimit, processorTime, residentMemory } from './process-tree';
import { hasWrittenMore } from './written-bytes';

const CHECK_MS = 50;
const REST_CHECK_MS = 250;
/** The longest time of a job with the start of its child: after that, its message comes again. */
const LONGEST_MS = LONGEST_VIDEO_SECONDS * 1000;
/** Time in which a child must be ready for its first job; a busy machine may need minutes. */
const START_MS = 240_000;
/** A worker and its ffmpeg have 35 processes and threads for a video of 1080p (measured on 2 cores). */
const TASKS = 128;
const TASKS_OF_CORE = 16;
const OPEN_FILES = 1024;
const STDERR_KEPT = 2000;

export interface WorkerOptions {
  /** The JavaScript file that the child runs. */
  readonly entry: string;
  /** The prlimit program, if the machine has one. */
  readonly prlimit: string | null;
  /** The nice program, if the machine has one. A child of another user can't be given a lower priority from here. */
  readonly nice: string | null;
  /** Bytes of resident memory that the child and the programs it starts may use together. */
  readonly memoryLimit: number;
  /** How the child is isolated from the rest of the system. */
  readonly isolation: Isolation;
  /** The folder in which the child's folder is created. */
  readonly scratch: string;
}

/**
 * How V8 collects garbage in a child. Nearly all of it is buffers of pixels, which a scavenge frees. V8 would also mark the
 * whole heap about once for each photograph, in four threads; without that, a photograph takes a seventh less processor time.
 */
const COLLECTION = ['--single-threaded-gc', '--no-incremental-marking'];

/** What one job may use in addition to the memory of its worker. */
export interface JobBudget {
  /** Milliseconds of processor time of one job, from when the child is ready. */
  readonly timeLimitMs: number;
  /** Milliseconds by the clock. */
  readonly clockLimitMs: number;
  /** Bytes on the disk that its files may use together. */
  readonly writtenLimit: number;
}

/** The child died. Only another attempt can show whether the job was the cause. */
export class WorkerCrashedError extends Error {
  override readonly name = 'WorkerCrashedError';
}

/**
 * One child process that decodes uploaded files, one at a time, with a budget of memory and time. A file that exceeds
 * a budget, or crashes a native decoder, ends only this child.
 */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly channel: WorkerChannel;
  private readonly exited: Promise<void>;
  private readonly folder: WorkerFolder | null;
  private stderr = '';
  private jobs = 0;
  private started = false;
  private gone = false;
  private killed = false;
  /** Whether `overrun` watches the worker. */
  private watched = false;
  /** What the files of the job may use; 0 while the worker rests. */
  private writtenLimit = 0;
  private readonly guard: NodeJS.Timeout;

  constructor(
    private readonly options: WorkerOptions,
    /** How much lower the priority of the child and of its programs is than this process's. */
    niceness: number,
  ) {
    const limits = options.prlimit ? [options.prlimit, ...this.limits(), '--'] : [];
    this.folder = options.isolation.makeFolder(options.scratch);
    // No --max-old-space-size: with a low one, V8 collects garbage after a few picture buffers, which adds half as
    // much work again.
    const priority = options.nice ? [options.nice, '-n', `${niceness}`] : [];
    const isolated = [...options.isolation.command(this.folder), ...limits, process.execPath, ...COLLECTION];
    try {
      ({ child: this.child, channel: this.channel } = this.start([...priority, ...isolated]));
    } catch (error) {
      void this.folder?.remove().catch(() => undefined);
      throw error;
    }
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('latin1')).slice(-STDERR_KEPT);
    });
    this.channel.once('message', () => {
      this.started = true;
    });
    this.channel.once('broken', () => void this.kill());
    this.guard = setInterval(() => this.checkRest(), REST_CHECK_MS).unref();
    this.exited = new Promise((resolve) => {
      const end = (): void => {
        this.gone = true;
        clearInterval(this.guard);
        // The sweeper later removes a folder that can't be removed now.
        void (this.folder?.remove() ?? Promise.resolve()).catch(() => undefined).then(resolve);
      };
      this.child.once('exit', end);
      this.child.once('error', end);
    });
  }

  private limits(): readonly string[] {
    const { memoryLimit, isolation } = this.options;
    const tasks = TASKS + TASKS_OF_CORE * availableParallelism();
    return [
      ...[`--data=${mappedMemoryLimit(memoryLimit)}`, '--core=0', `--nofile=${OPEN_FILES}`],
      ...(isolation.countsProcesses ? [`--nproc=${tasks}`] : []),
    ];
  }

  private start(command: readonly string[]): IsolatedProcess {
    return startIsolated(this.options.isolation, command, this.options.entry, {
      // The child gets no variable of this process, so a hijacked decoder finds no address of the bus or the storage
      // there. Fewer malloc arenas halve the memory of a long-running worker (measured: 185–290 MB instead of 640–730
      // MB).
      env: {
        ...{ MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
        ...(this.folder ? { TMPDIR: this.folder.out } : {}),
      },
    });
  }

  /** False if the child is dead or about to die. */
  get alive(): boolean {
    return !this.gone && !this.killed && this.channel.open;
  }

  /** Bytes of resident memory, or null if the system doesn't report it. */
  get memory(): number | null {
    return this.child.pid === undefined ? null : residentMemory(this.child.pid);
  }

  /** Milliseconds of processor time of the child and its programs so far, or null if the system doesn't report it. */
  private get processorTime(): number | null {
    return this.child.pid === undefined ? null : processorTime(this.child.pid);
  }

  /**
   * Does one job; do not call it again before it has resolved. Throws `UnprocessableFileError` if the file is at
   * fault or exceeds a budget (the child is then dead), `WorkerCrashedError` if the child died, `DiskFullError` if
   * the disk is full, and `Error` for other failures that may be temporary.
   */
  async run(job: MediaJob, budget: JobBudget, onProgress: (percent: number) => void): Promise<JobResult> {
    if (!this.folder) return this.runHere(job, budget, onProgress);
    const { folder } = this;
    const copied = await this.exchange(() => folder.copyIn(job));
    this.writtenLimit = budget.writtenLimit;
    try {
      const result = await this.runHere(copied, budget, onProgress);
      await this.exchange(() => folder.copyOut(result, job.folder, budget.writtenLimit));
      return result;
    } finally {
      // Removes everything that belongs to the file. If that fails, the next job fails with the reason.
      if (this.alive) await folder.clear().catch(() => undefined);
      this.writtenLimit = 0;
    }
  }

  /** Copies files to or from the child's folder. A child that leaves links or folders there, or closes it, gets no further job. */
  private async exchange<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      if (saysDiskFull(message)) throw new DiskFullError(message);
      if (!(error instanceof UntrustedOutputError) && code !== 'EACCES') throw error;
      await this.kill();
      throw new WorkerCrashedError(message);
    }
  }

  private async runHere(
    job: MediaJob,
    budget: JobBudget,
    onProgress: (percent: number) => void,
  ): Promise<JobResult> {
    const asked = performance.now();
    await this.ready();
    const id = ++this.jobs;
    const watch = new AbortController();
    this.watched = true;
    try {
      return await Promise.race([
        this.exchangeMessages({ id, job }, onProgress, watch.signal),
        this.died(),
        this.overrun(job, budget, asked, watch.signal),
      ]);
    } finally {
      watch.abort();
      this.watched = false;
    }
  }

  /** Kills the child and the programs that it started. */
  async kill(): Promise<void> {
    this.killed = true;
    if (!this.gone && this.child.pid !== undefined) {
      try {
        process.kill(-this.child.pid, 'SIGKILL');
      } catch {
        this.child.kill('SIGKILL');
      }
    }
    await this.exited;
  }

  private exchangeMessages(
    request: WorkerRequest,
    onProgress: (percent: number) => void,
    signal: AbortSignal,
  ): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      const hear = (message: unknown): void => {
        const reply = readReply(message);
        if (!reply || reply.type === 'ready' || reply.id !== request.id) return;
        if (reply.type === 'progress') onProgress(reply.percent);
        else if (reply.type === 'done') resolve(reply.result);
        else if (reply.type === 'refused') reject(new UnprocessableFileError(reply.reason, reply.detail));
        else reject(saysDiskFull(reply.error) ? new DiskFullError(reply.error) : new Error(reply.error));
      };
      this.channel.on('message', hear);
      signal.addEventListener('abort', () => this.channel.off('message', hear));
      // If the child is gone, died() reports it, so the failed send needs no handling.
      if (this.channel.open) this.channel.send(request);
    });
  }

  private async died(): Promise<never> {
    await this.exited;
    const how = `${this.child.signalCode ?? signalOf(this.child.exitCode) ?? 'an error'}: ${this.stderr.trim()}`;
    // A child that has not reported that it is ready has seen no file, so the machine is at fault.
    throw this.started
      ? new WorkerCrashedError(`A worker ended with ${how}`)
      : new Error(`A worker can't start: ${how}`);
  }

  /** `asked`: when the job was given to the child, which may have started only then. */
  private overrun(job: MediaJob, budget: JobBudget, asked: number, signal: AbortSignal): Promise<never> {
    const began = performance.now();
    const usedBefore = this.processorTime;
    const isOverTime = (): boolean => {
      const now = performance.now();
      if (now - began > budget.clockLimitMs || now - asked > LONGEST_MS) return true;
      if (now - began <= budget.timeLimitMs) return false;
      const used = this.processorTime;
      return used === null || usedBefore === null || used - usedBefore > budget.timeLimitMs;
    };
    const exceeded = (): string | undefined => {
      // `died` reports it.
      if (this.gone) return undefined;
      if (isOverTime()) return failureReason.time;
      if ((this.memory ?? 0) > this.options.memoryLimit) return failureReason.memory;
      return hasWrittenMore(job.folder, budget.writtenLimit) ? failureReason.space : undefined;
    };
    return new Promise((_, reject) => {
      const check = (): void => {
        const reason = exceeded();
        if (reason === undefined) return;
        clearInterval(timer);
        // Rejects before the kill: a worker that this process killed did not crash, and there is no second attempt
        // for its file.
        reject(new UnprocessableFileError(reason));
        void this.kill();
      };
      const timer = setInterval(check, CHECK_MS);
      signal.addEventListener('abort', () => clearInterval(timer));
    });
  }

  /** Ends a worker that uses memory or the disk after its reply. Only a hijacked one does. */
  private checkRest(): void {
    if (this.watched || !this.alive) return;
    const hasTooMuch = (this.memory ?? 0) > this.options.memoryLimit;
    if (hasTooMuch || (this.folder && hasWrittenMore(this.folder.out, this.writtenLimit))) void this.kill();
  }

  /**
   * Resolves once the child can take a job. Throws an error that may be temporary if it dies before or is not ready after four
   * minutes; it is dead then.
   */
  async ready(): Promise<void> {
    if (this.started) return;
    const late = (): Error => new Error(`A worker was not ready within ${START_MS / 1000} s`);
    try {
      await withDeadline({ ms: START_MS, late }, () =>
        Promise.race([once(this.channel, 'message'), this.died()]),
      );
    } catch (error) {
      await this.kill();
      throw error;
    }
  }
}

/** The program that wraps a worker doesn't die of the worker's signal; it exits with 128 plus the signal's number. */
function signalOf(exitCode: number | null): string | number | null {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === exitCode)?.[0];
  return name ?? exitCode;
}
