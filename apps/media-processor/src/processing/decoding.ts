import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { join } from 'node:path';
import { inSpan } from '@vitrine/runtime';
import { MediaProcessorConfig } from '../media-processor.config';
import { locateTools, type LocatedTools } from '../tools/locate-tools';
import type { JobResult, MediaJob } from '../worker/protocol';
import { WorkerPool, type JobHooks } from '../worker/worker-pool';

const MIB = 1024 * 1024;
/** What a worker itself takes while the ffmpeg that it has started works; both share one file's memory. */
const WORKER_SHARE = 160 * MIB;

/** The workers that decode strangers' files, and the tools that they are given. */
@Injectable()
export class Decoding implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Decoding.name);
  private located: LocatedTools | undefined;
  private pool: WorkerPool | undefined;

  constructor(private readonly config: MediaProcessorConfig) {}

  async onModuleInit(): Promise<void> {
    const { config } = this;
    this.located = await locateTools({ ffmpeg: config.ffmpegPath, ffprobe: config.ffprobePath });
    const { tools, outdated } = this.located;
    if (outdated)
      this.logger.warn('Using the old ffmpeg from npm: install ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH');
    if (!tools.prlimit) this.logger.warn('No prlimit on this system: memory is watched, but not capped');
    this.pool = new WorkerPool({
      entry: join(__dirname, '..', 'worker', 'main.js'),
      prlimit: tools.prlimit,
      size: config.concurrency,
      memoryLimit: config.memoryLimitMb * MIB,
      recycleAbove: config.recycleMb * MIB,
    });
    await this.pool.warmUp();
    this.logger.log(`${config.concurrency} workers, ${tools.ffmpeg}`);
  }

  /** Throws where no worker or no ffmpeg is at hand. */
  check(): void {
    if (!this.pool || !this.located) throw new Error('The decoders are not ready');
  }

  /** Runs one job on a worker; see `WorkerPool.run`. */
  async run(job: Omit<MediaJob, 'tools' | 'limits'>, hooks: JobHooks): Promise<JobResult> {
    if (!this.pool || !this.located) throw new Error('The decoders are not ready');
    const limits = {
      toolMemory: this.config.memoryLimitMb * MIB - WORKER_SHARE,
      // Two threads at most, so processor time can't exceed twice the time on the wall.
      toolSeconds: Math.ceil(hooks.timeLimitMs / 1000) * 2,
    };
    const { pool, located } = this;
    const { kind, format } = job.media;
    return inSpan(
      'make variants',
      { attributes: { 'vitrine.media.kind': kind, 'vitrine.media.format': format } },
      () => pool.run({ ...job, tools: located.tools, limits }, hooks),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.close();
    await this.located?.release();
  }
}
