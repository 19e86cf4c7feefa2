import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import {
  mediaProcessingFailed,
  mediaOverran,
  mediaProgressed,
  mediaVariantsStored,
  type MediaProcessingRequested,
} from '@vitrine/contracts';
import { EventPublisher } from '@vitrine/messaging';
import { errorMessage, OutageError } from '@vitrine/runtime';
import { reportingOutages, ObjectStorage } from '@vitrine/storage';
import type { JobLane } from '../decoders/decoder-pool';
import { moveCheckedFiles } from '../decoders/made-files';
import { DiskFullError, failureReason, hasRoom, UnprocessableFileError } from '../failures/failures';
import type { JobResult } from '../jobs/protocol';
import { OriginalJobs } from './original-jobs';
import { ProcessingMetrics } from './processing-metrics';

const PROGRESS_EVERY_MS = 2_500;

/** Processes an original in the storage: stores its variants, and publishes the result. */
@Injectable()
export class ProcessingService {
  private readonly logger = new Logger(ProcessingService.name);

  constructor(
    private readonly storage: ObjectStorage,
    private readonly publisher: EventPublisher,
    private readonly jobs: OriginalJobs,
    private readonly metrics: ProcessingMetrics,
  ) {}

  /**
   * Makes and stores every variant of a media item and publishes `media.variants_stored`. Publishes `media.processing_failed` if the
   * file is at fault, or `media.overran` if it took longer than quick work may, and must be requested as long work.
   * Keys depend only on the slug, so processing it again changes nothing. Throws if another attempt may succeed.
   */
  async process(media: MediaProcessingRequested, lane: JobLane): Promise<void> {
    const job = this.metrics.begin(media.kind);
    try {
      const result = await reportingOutages(() => this.makeVariants(media, lane));
      const { files: _, ...outcome } = result;
      await this.publisher.publish(mediaVariantsStored, {
        media_id: media.media_id,
        slug: media.slug,
        ...outcome,
        took_ms: job.took(),
      });
      job.ended('processed');
      this.logger.log(`Processed ${media.slug} (${media.format}) in ${job.took()} ms`);
    } catch (error) {
      if (!(error instanceof UnprocessableFileError)) {
        job.ended('failed');
        throw await this.withOutage(error);
      }
      this.logger.log(
        `Refused ${media.slug} (${media.format}) after ${job.took()} ms: ${error.message} ${error.detail ?? ''}`,
      );
      const overran = error.message === failureReason.time;
      if (overran && lane === 'quick') {
        await this.publisher.publish(mediaOverran, {
          media_id: media.media_id,
          slug: media.slug,
          took_ms: job.took(),
        });
        job.ended('overran');
        return;
      }
      await this.publishFailure(media, error.message, overran);
      job.ended('refused');
    }
  }

  /**
   * A full disk is an outage if it stays full without the job's files. Otherwise the file filled it, and this counts
   * as an attempt.
   */
  private async withOutage(error: unknown): Promise<unknown> {
    if (!(error instanceof DiskFullError) || (await hasRoom(await this.storage.scratchDirectory())))
      return error;
    return new OutageError('The disk is full', { cause: error });
  }

  /** Publishes that a media item can't be processed, permanently. `reason` is a sentence for its uploader. */
  async publishFailure(
    { media_id, slug }: MediaProcessingRequested,
    reason: string,
    overran = false,
  ): Promise<void> {
    await this.publisher.publish(mediaProcessingFailed, {
      media_id,
      slug,
      reason,
      ...(overran && { overran }),
    });
  }

  /** Logs the progress of a file and publishes it, but not more often than a worker that behaves reports it. */
  private progressOf({ media_id, slug }: MediaProcessingRequested): (percent: number) => void {
    let publishedAt = -Infinity;
    return (percent) => {
      if (performance.now() - publishedAt < PROGRESS_EVERY_MS) return;
      publishedAt = performance.now();
      this.logger.log(`Processing ${slug}: ${percent} %`);
      this.publisher
        .publish(mediaProgressed, { media_id, slug, percent: Math.round(percent) })
        .catch((error: unknown) => this.logger.debug(`Not published: ${errorMessage(error)}`));
    };
  }

  private makeVariants(media: MediaProcessingRequested, lane: JobLane): Promise<JobResult> {
    return this.jobs.run(
      {
        media,
        task: { makes: 'everything' },
        lane,
        subject: media.slug,
        logger: this.logger,
        onProgress: this.progressOf(media),
        accept: (made, folders) => moveCheckedFiles(made, media, folders),
      },
      async (result, folder) => {
        await Promise.all(result.files.map(({ file, key }) => this.storage.moveIn(join(folder, file), key)));
        return result;
      },
    );
  }
}
