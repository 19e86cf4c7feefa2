import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FoundVideoTools } from '@vitrine/admin';

/** The worker program of the built media-processor. */
const WORKER = resolve(__dirname, '../../../../apps/media-processor/dist/worker/main.js');
const MIB = 1024 ** 2;

/** A file for a worker to process. */
export interface WorkerFile {
  readonly path: string;
  readonly kind: 'image' | 'video';
  readonly format: string;
  readonly mime: string;
  readonly ext: string;
}

/** The ffmpeg and ffprobe that a worker uses; null for none. */
export type BenchTools = Pick<FoundVideoTools, 'ffmpeg' | 'ffprobe'>;

/** A child process that answers one request at a time, started as media-processor starts its workers. */
export class WorkerChild {
  private readonly process: ChildProcess;

  private constructor(entry: string) {
    this.process = fork(entry, [], {
      // A worker expects to be the leader of its process group.
      detached: true,
      env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    });
  }

  /** Starts the program at `entry`, by default media-processor's worker. Throws when that isn't built. */
  static async start(entry = WORKER): Promise<WorkerChild> {
    if (!existsSync(entry)) throw new Error(`${entry} is missing: run npm run build`);
    const child = new WorkerChild(entry);
    await once(child.process, 'message');
    return child;
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Has the worker process a file completely, with its results in `folder`. Returns the milliseconds that it took. */
  processFile(file: WorkerFile, folder: string, videoTools: BenchTools = NO_TOOLS): Promise<number> {
    const slug = 'bench01';
    const { path, ...media } = file;
    const key = `f/${slug}.${file.ext}`;
    const tools = { ffmpeg: videoTools.ffmpeg, ffprobe: videoTools.ffprobe, prlimit: null };
    const limits = file.kind === 'video' ? { toolMemory: 16 * 1024 * MIB, toolSeconds: 3600 } : NO_LIMITS;
    const job = {
      task: { makes: 'everything' },
      media: { slug, key, ...media, bytes: 0, frames: 1, duration: null },
      ...{ source: path, folder, tools, limits, seed: 'bench' },
    };
    return this.ask({ id: 1, job });
  }

  /** Sends a request and returns the milliseconds until its `done`. Throws on any other answer. */
  async ask(request: object): Promise<number> {
    const began = performance.now();
    this.process.send(request);
    let answer = await this.nextAnswer();
    while (answer.type === 'progress') answer = await this.nextAnswer();
    if (answer.type !== 'done') throw new Error(JSON.stringify(answer));
    return performance.now() - began;
  }

  async stop(): Promise<void> {
    this.process.disconnect();
    await once(this.process, 'exit');
  }

  private async nextAnswer(): Promise<{ readonly type: string }> {
    const [answer] = (await once(this.process, 'message')) as [{ type: string }];
    return answer;
  }
}

const NO_TOOLS: BenchTools = { ffmpeg: null, ffprobe: null };
const NO_LIMITS = { toolMemory: 0, toolSeconds: 0 };
