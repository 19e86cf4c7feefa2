import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inSpan } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import { MediaProcessorConfig } from '../config/media-processor.config';
import { VideoToolsConfig } from '../config/video-tools.config';
import { DecoderPool, type JobHooks } from '../decoders/decoder-pool';
import { mappedMemoryLimit } from '../decoders/process-tree';
import { chooseIsolation } from '../isolation/choose-isolation';
import { describeIsolation } from '../isolation/describe-isolation';
import type { JobResult, MediaJob, Tools } from '../jobs/protocol';
import { locateTools } from '../tools/locate-tools';
import { findOnPath } from '../tools/on-path';
import { ProcessingMetrics } from './processing-metrics';

const MIB = 1024 * 1024;

/** A new worker holds 35 MB, used ones more; starting one takes 0.16 s of processor time, without the isolation. */
const REST_MS = 45_000;
/** Workers that stay ready while readers may wait for removed variants: starting one would take as long as making two. */
const KEPT_READY = 2;

/** The workers that decode uploaded files, and the tools that they use. */
@Injectable()
export class Decoding implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Decoding.name);
  private tools: Tools | undefined;
  private pool: DecoderPool | undefined;
  private isStopped = false;
  /** Decides which frames of a video are judged, so that nobody can know them before. */
  private readonly secret = randomBytes(32);

  constructor(
    private readonly config: MediaProcessorConfig,
    private readonly videoTools: VideoToolsConfig,
    private readonly storage: ObjectStorage,
    private readonly metrics: ProcessingMetrics,
  ) {}

  async onModuleInit(): Promise<void> {
    const { config } = this;
    const { tools, found: ffmpeg } = await locateTools(this.videoTools);
    this.tools = tools;
    if (!tools.ffmpeg) this.logger.warn(`Videos are refused: ${ffmpeg}`);
    if (!tools.prlimit)
      this.logger.warn(
        'prlimit was not found: memory is checked at intervals, but not limited by the system',
      );
    const scratch = await this.storage.scratchDirectory();
    const chosen = await chooseIsolation({ tools, scratch });
    const { level, found, advice } = describeIsolation(chosen);
    this.metrics.isolatedBy(level);
    if (level !== 'sandbox' && config.isolation === 'required')
      throw new Error(`MEDIA_ISOLATION is required, but ${found}. ${advice}`);
    if (level === 'sandbox') this.logger.log(found);
    else this.logger.warn(`${found}. ${advice}`);
    // The service was told to stop before it had started; nothing would end the workers.
    if (this.isStopped) return;
    const pool = new DecoderPool({
      entry: join(__dirname, '..', 'worker', 'main.js'),
      prlimit: tools.prlimit,
      nice: await findOnPath('nice'),
      size: config.workers,
      memoryLimit: config.memoryLimitMb * MIB,
      recycleAbove: config.recycleMb * MIB,
      restMs: REST_MS,
      keptReady: config.variantRetentionDays > 0 ? Math.min(config.workers, KEPT_READY) : 0,
      isolation: chosen.isolation,
      scratch,
    });
    this.pool = pool;
    this.metrics.watchWorkers(() => pool.working);
    await pool.warmUp();
    this.logger.log(`Started ${config.workers} workers, with ${ffmpeg}`);
  }

  /** Throws if no worker is ready. */
  check(): void {
    if (!this.pool || !this.tools) throw new Error('The decoders are not ready');
  }

  /** Whether no job runs or waits. */
  get isIdle(): boolean {
    return this.pool?.isIdle ?? false;
  }

  /** Runs one job on a worker; see `DecoderPool.run`. */
  async run(job: Omit<MediaJob, 'tools' | 'limits' | 'seed'>, hooks: JobHooks): Promise<JobResult> {
    if (!this.pool || !this.tools) throw new Error('The decoders are not ready');
    const limits = {
      toolMemory: mappedMemoryLimit(this.config.memoryLimitMb * MIB),
      // Two threads at most, which use no more than this before the job has lasted its limit by the clock.
      toolSeconds: Math.ceil(hooks.timeLimitMs / 1000) * 2,
    };
    const { pool, tools } = this;
    const { kind, format, slug } = job.media;
    // A hijacked worker gets the seed of one file, but not the secret.
    const seed = createHmac('sha256', this.secret).update(slug).digest('hex');
    return inSpan(
      'make variants',
      { attributes: { 'vitrine.media.kind': kind, 'vitrine.media.format': format } },
      () => pool.run({ ...job, tools, seed, limits }, hooks),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.pool?.close();
  }
}
