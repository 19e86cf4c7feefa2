import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { DiskFullError, failureReason, saysDiskFull, UnprocessableFileError } from '../failures';
import type { Isolation } from '../isolation/isolation';
import { UntrustedOutputError, type WorkerFolder } from '../isolation/worker-folder';
import { type JobResult, type MediaJob, readReply, type WorkerRequest } from './protocol';
import { mappedMemoryLimit, residentMemory } from './resident-memory';

const MEMORY_CHECK_MS = 50;
const STDERR_KEPT = 2000;
/** The system's fonts without a cache to write to: libvips would leave one outside of the job's folder. */
const FONTS = join(__dirname, '..', '..', 'fonts.conf');

export interface WorkerOptions {
  /** The child's JavaScript entry. */
  readonly entry: string;
  /** The prlimit program, where the machine has one. */
  readonly prlimit: string | null;
  /** Bytes of resident memory that the child and the programs it starts may take together. */
  readonly memoryLimit: number;
  /** How the child is isolated from the rest of the system. */
  readonly isolation: Isolation;
  /** Where the child's folder is made. */
  readonly scratch: string;
}

/** The child died of the job, or of something else; which, only another try can tell. */
export class WorkerCrashedError extends Error {
  override readonly name = 'WorkerCrashedError';
}

/**
 * One child process that decodes strangers' files, one at a time, under a budget of memory and time.
 * A file that overruns a budget, or crashes a native decoder, costs this child and nothing else.
 */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private readonly folder: WorkerFolder | null;
  private stderr = '';
  private jobs = 0;
  private started = false;
  private gone = false;
  private killed = false;

  constructor(
    private readonly options: WorkerOptions,
    /** How much lower than ours the priority of the child and of its programs is. */
    niceness = 0,
  ) {
    // A group of its own: killing the group takes the ffmpeg that the child may have started along.
    const limits = options.prlimit
      ? [options.prlimit, `--data=${mappedMemoryLimit(options.memoryLimit)}`, '--core=0', '--']
      : [];
    this.folder = options.isolation.makeFolder(options.scratch);
    // No --max-old-space-size: a low one makes V8 collect for every few picture buffers, half as much work again.
    const wrapped = [...options.isolation.command(this.folder), ...limits, process.execPath];
    const [program, ...args] = wrapped;
    this.child = fork(options.entry, [], {
      execPath: program,
      execArgv: args,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Nothing of ours: a hijacked decoder finds no address of the bus or the storage in its environment.
      // Fewer malloc arenas halve a long-running worker's memory (facts: 640–730 MB against 185–290 MB).
      env: {
        ...{ MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', FONTCONFIG_FILE: FONTS },
        ...(this.folder ? { TMPDIR: this.folder.out } : {}),
      },
    });
    // At once, before it has threads, because each thread inherits the priority.
    if (niceness > 0 && this.child.pid !== undefined) {
      setPriority(this.child.pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
    }
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('latin1')).slice(-STDERR_KEPT);
    });
    this.child.once('message', () => {
      this.started = true;
    });
    this.exited = new Promise((resolve) => {
      const end = (): void => {
        this.gone = true;
        // The sweep removes later a folder that can't be removed now.
        void (this.folder?.remove() ?? Promise.resolve()).catch(() => undefined).then(resolve);
      };
      this.child.once('exit', end);
      this.child.once('error', end);
    });
  }

  /** False once the child is dead or dying. */
  get alive(): boolean {
    return !this.gone && !this.killed && this.child.connected;
  }

  /** Bytes of resident memory, or null where the system doesn't say. */
  get memory(): number | null {
    return this.child.pid === undefined ? null : residentMemory(this.child.pid);
  }

  /**
   * Does one job; a worker takes no second before the first has ended.
   * Throws `UnprocessableFileError` where the file is at fault or overruns a budget (the child is dead then),
   * `WorkerCrashedError` where the child died, `DiskFullError` where no disk has room, and `Error` for anything else that
   * may pass.
   */
  async run(job: MediaJob, timeLimitMs: number, onProgress: (percent: number) => void): Promise<JobResult> {
    if (!this.folder) return this.runHere(job, timeLimitMs, onProgress);
    const { folder } = this;
    const brought = await this.exchange(() => folder.bringIn(job));
    try {
      const result = await this.runHere(brought, timeLimitMs, onProgress);
      await this.exchange(() => folder.takeOut(result, job.folder));
      return result;
    } finally {
      // Removes everything of the file; if that fails, the next job fails with the reason.
      if (this.alive) await folder.clear().catch(() => undefined);
    }
  }

  /** Moves files between us and the child. A child that leaves links or folders there gets no further job. */
  private async exchange<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { message } = error as Error;
      if (saysDiskFull(message)) throw new DiskFullError(message);
      if (!(error instanceof UntrustedOutputError)) throw error;
      await this.kill();
      throw new WorkerCrashedError(message);
    }
  }

  private async runHere(
    job: MediaJob,
    timeLimitMs: number,
    onProgress: (percent: number) => void,
  ): Promise<JobResult> {
    const id = ++this.jobs;
    const watch = new AbortController();
    try {
      return await Promise.race([
        this.converse({ id, job }, onProgress, watch.signal),
        this.died(),
        this.overrun(timeLimitMs, watch.signal),
      ]);
    } finally {
      watch.abort();
    }
  }

  /** Ends the child and whatever it has started, at once. */
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

  private converse(
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
      this.child.on('message', hear);
      signal.addEventListener('abort', () => this.child.off('message', hear));
      // A child that is gone is reported by died(); the failed send adds nothing.
      if (this.child.connected) this.child.send(request, () => undefined);
    });
  }

  private async died(): Promise<never> {
    await this.exited;
    const how = `${this.child.signalCode ?? signalOf(this.child.exitCode) ?? 'an error'}: ${this.stderr.trim()}`;
    // Before it has said that it is ready it has seen no file: then it is the machine that is at fault.
    throw this.started
      ? new WorkerCrashedError(`A worker ended with ${how}`)
      : new Error(`A worker can't start: ${how}`);
  }

  private overrun(timeLimitMs: number, signal: AbortSignal): Promise<never> {
    const began = performance.now();
    return new Promise((_, reject) => {
      const check = (): void => {
        const late = performance.now() - began > timeLimitMs;
        if (!late && (this.memory ?? 0) <= this.options.memoryLimit) return;
        clearInterval(timer);
        // Before the kill: the death of a worker by our hand is no crash, which would earn the file another try.
        reject(new UnprocessableFileError(late ? failureReason.time : failureReason.memory));
        void this.kill();
      };
      const timer = setInterval(check, MEMORY_CHECK_MS);
      signal.addEventListener('abort', () => clearInterval(timer));
    });
  }

  /** Resolves once the child can take a job. */
  async ready(): Promise<void> {
    await Promise.race([once(this.child, 'message'), this.died()]);
  }
}

/** The program that wraps a worker doesn't die of the worker's signal, but exits with 128 plus the signal's number. */
function signalOf(exitCode: number | null): string | number | null {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === exitCode)?.[0];
  return name ?? exitCode;
}
