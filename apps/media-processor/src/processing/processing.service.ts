import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { mediaFailed, mediaProcessed, objectKeys, type MediaUploaded } from '@vitrine/contracts';
import { EventPublisher } from '@vitrine/messaging';
import { OutageError } from '@vitrine/runtime';
import { namingOutages, ObjectNotFoundError, ObjectStorage } from '@vitrine/storage';
import { DiskFullError, failureReason, hasRoom, UnprocessableFileError } from '../failures';
import { MediaProcessorConfig } from '../media-processor.config';
import type { JobResult } from '../worker/protocol';
import { Decoding } from './decoding';
import { ProcessingMetrics } from './processing-metrics';

/** From an original in the storage to its variants there, and the event that says so. */
@Injectable()
export class ProcessingService {
  private readonly logger = new Logger(ProcessingService.name);

  constructor(
    private readonly storage: ObjectStorage,
    private readonly publisher: EventPublisher,
    private readonly decoding: Decoding,
    private readonly metrics: ProcessingMetrics,
    private readonly config: MediaProcessorConfig,
  ) {}

  /**
   * Makes and stores every variant of a media and publishes `media.processed`; or `media.failed`, where the file is
   * at fault. Keys depend on the slug alone, so doing it twice changes nothing. Throws where another try may help.
   */
  async process(media: MediaUploaded): Promise<void> {
    const began = performance.now();
    const took = (): number => Math.round(performance.now() - began);
    try {
      const result = await namingOutages(() => this.makeVariants(media));
      const { files: _, ...outcome } = result;
      await this.publisher.publish(mediaProcessed, {
        media_id: media.media_id,
        slug: media.slug,
        ...outcome,
        took_ms: took(),
      });
      this.metrics.ended(media.kind, 'processed', took());
      this.logger.log(`${media.slug}: ${media.format} processed in ${took()} ms`);
    } catch (error) {
      if (!(error instanceof UnprocessableFileError)) {
        this.metrics.ended(media.kind, 'failed', took());
        throw await this.blame(error);
      }
      this.logger.log(
        `${media.slug}: ${media.format} refused after ${took()} ms: ${error.message} ${error.detail ?? ''}`,
      );
      await this.giveUp(media, error.message);
      this.metrics.ended(media.kind, 'refused', took());
    }
  }

  /** A full disk is an outage where it stays full without the job; otherwise the file filled it, and loses a try. */
  private async blame(error: unknown): Promise<unknown> {
    if (!(error instanceof DiskFullError) || (await hasRoom(await this.storage.scratchDirectory())))
      return error;
    return new OutageError('The disk is full', { cause: error });
  }

  /** Says that a media can't be processed, for good; `reason` is a sentence for its uploader. */
  async giveUp({ media_id, slug }: MediaUploaded, reason: string): Promise<void> {
    await this.publisher.publish(mediaFailed, { media_id, slug, reason });
  }

  private async makeVariants(media: MediaUploaded): Promise<JobResult> {
    const original = await this.storage.checkOut(media.key).catch((error: unknown) => {
      throw error instanceof ObjectNotFoundError ? new UnprocessableFileError(failureReason.gone) : error;
    });
    try {
      return await this.makeVariantsOf(original.path, media);
    } finally {
      await original.release();
    }
  }

  private async makeVariantsOf(source: string, media: MediaUploaded): Promise<JobResult> {
    const folder = await mkdtemp(join(await this.storage.scratchDirectory(), 'variants-'));
    try {
      const result = await this.decoding.run(
        { media, source, folder },
        {
          timeLimitMs: this.timeLimit(media),
          onProgress: (percent) => this.logger.log(`${media.slug}: ${percent} %`),
          onCrash: (error) => {
            this.metrics.crashed();
            this.logger.warn(`${media.slug}: trying once more. ${error.message}`);
          },
        },
      );
      for (const { file, key } of result.files) {
        assertOwnKey(media, key);
        await this.storage.moveIn(join(folder, basename(file)), key);
      }
      return result;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Milliseconds; a header may lie about its duration, so the longest has an end too. */
  private timeLimit({ kind, duration }: MediaUploaded): number {
    const { config } = this;
    if (kind === 'image') return config.imageTimeLimitSeconds * 1000;
    const wanted = config.videoTimeLimitBaseSeconds + config.videoTimeLimitFactor * (duration ?? 0);
    return Math.min(wanted, config.videoTimeLimitMaxSeconds) * 1000;
  }
}

/** A worker whose decoder was hijacked must not overwrite other media, nor this one's original. */
function assertOwnKey({ slug, key: original }: MediaUploaded, key: string): void {
  const own = objectKeys.ofMedia(slug).some((prefix) => key.startsWith(prefix));
  if (!own || key === original) throw new Error(`${slug}: a worker asked to write ${key}`);
}
