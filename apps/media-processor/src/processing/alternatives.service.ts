import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import {
  type AlternativeRecord,
  type MediaAlternativesMade,
  mediaAlternativesMade,
  type MediaAlternativesRequested,
  possibleAlternatives,
} from '@vitrine/contracts';
import { EventPublisher } from '@vitrine/messaging';
import { ObjectStorage, reportingOutages } from '@vitrine/storage';
import { MediaProcessorConfig } from '../config/media-processor.config';
import { DisplacedError } from '../decoders/decoder-pool';
import { moveAlternatives } from '../decoders/made-files';
import { Decoding } from './decoding';
import { OriginalJobs } from './original-jobs';
import { ProcessingMetrics } from './processing-metrics';
import { TimeAllowance } from './time-allowance';

/** Much less than the time after which upload-service repeats a request, so that two never work on one media item. */
const STALE_SECONDS = 300;

/** Makes sizes of photographs in WebP and AVIF, while there is no other work, and for so many seconds an hour. */
@Injectable()
export class AlternativesService {
  private readonly logger = new Logger(AlternativesService.name);
  private readonly allowance: TimeAllowance;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly publisher: EventPublisher,
    private readonly jobs: OriginalJobs,
    private readonly decoding: Decoding,
    private readonly metrics: ProcessingMetrics,
    config: MediaProcessorConfig,
  ) {
    this.allowance = new TimeAllowance(config.alternativesSecondsPerHour);
  }

  /**
   * Makes and stores the alternatives of a photograph and publishes `media.alternatives_made`: with none if the file is at
   * fault, and as `busy` if there is other work, the time is used up, or the request is stale. Throws if another attempt may
   * succeed.
   */
  async make(request: MediaAlternativesRequested, requestedAt: Date): Promise<void> {
    const job = this.metrics.begin('alternatives');
    const publish = (answer: Pick<MediaAlternativesMade, 'outcome' | 'alternatives'>): Promise<void> => {
      const { media_id, slug, attempt } = request;
      return this.publisher.publish(mediaAlternativesMade, {
        media_id,
        slug,
        attempt,
        ...answer,
        took_ms: job.took(),
      });
    };
    if (Date.now() - requestedAt.getTime() > STALE_SECONDS * 1000) {
      job.ended('stale');
      return publish({ outcome: 'busy', alternatives: [] });
    }
    try {
      const alternatives = await reportingOutages(() => this.makeAndStore(request));
      await publish({ outcome: 'made', alternatives });
      job.ended('processed');
      this.logger.debug(`Made ${alternatives.length} alternatives of ${request.slug} in ${job.took()} ms`);
    } catch (error) {
      if (error instanceof DisplacedError) {
        job.ended('displaced');
        return publish({ outcome: 'busy', alternatives: [] });
      }
      const { message, detail = '' } = job.refusal(error);
      this.logger.warn(`Could not make alternatives of ${request.slug}: ${message} ${detail}`);
      await publish({ outcome: 'made', alternatives: [] });
    } finally {
      this.allowance.spend(job.took());
    }
  }

  private async makeAndStore({
    variants,
    attempt: _,
    ...media
  }: MediaAlternativesRequested): Promise<readonly AlternativeRecord[]> {
    // Looked at before the original is read from the storage.
    if (!this.allowance.isLeft) throw new DisplacedError('The time of this hour is used up');
    if (!this.decoding.isIdle) throw new DisplacedError('Other jobs run or wait');
    return this.jobs.run(
      {
        media,
        task: { makes: 'alternatives', sizes: variants },
        lane: 'idle',
        subject: `the alternatives of ${media.slug}`,
        logger: this.logger,
        accept: (made, folders) => moveAlternatives(made, variants, folders),
      },
      async ({ files }, folder) => {
        const possible = possibleAlternatives(variants);
        const stored: AlternativeRecord[] = [];
        for (const { file, key } of files) {
          // `moveAlternatives` has checked that there is one.
          const { variant, ext } = possible.get(key)!;
          const path = join(folder, file);
          const { size: bytes } = await stat(path);
          await this.storage.moveIn(path, key);
          stored.push({ of: variant.key, key, ext, bytes });
        }
        return stored;
      },
    );
  }
}
