import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { type MediaVariantRequested, mediaVariantRemade } from '@vitrine/contracts';
import { EventPublisher } from '@vitrine/messaging';
import { ObjectStorage, reportingOutages } from '@vitrine/storage';
import { moveRemadeFile } from '../decoders/made-files';
import { OriginalJobs } from './original-jobs';
import { ProcessingMetrics } from './processing-metrics';

/** The readers of a request as old as this have gone, and the next one sends a new request. */
const STALE_SECONDS = 60;

/** Makes removed variants of stills again, while readers wait. */
@Injectable()
export class RemakingService {
  private readonly logger = new Logger(RemakingService.name);

  constructor(
    private readonly storage: ObjectStorage,
    private readonly publisher: EventPublisher,
    private readonly jobs: OriginalJobs,
    private readonly metrics: ProcessingMetrics,
  ) {}

  /**
   * Makes and stores one variant, and publishes `media.variant_remade`, also if it can't be made. Drops a stale request:
   * after an outage, nobody waits for its variant. Throws if another attempt may succeed.
   */
  async remake(request: MediaVariantRequested, requestedAt: Date): Promise<void> {
    const job = this.metrics.begin('variant');
    if (Date.now() - requestedAt.getTime() > STALE_SECONDS * 1000) return job.ended('stale');
    try {
      const bytes = await reportingOutages(() => this.make(request));
      await this.publish(request, bytes, job.took());
      job.ended('processed');
      this.logger.debug(`Made ${request.variant.key} again in ${job.took()} ms`);
    } catch (error) {
      const { message, detail = '' } = job.refusal(error);
      this.logger.warn(`Could not make ${request.variant.key} again: ${message} ${detail}`);
      await this.publish(request, null, job.took());
    }
  }

  /** Publishes that a variant can't be made. */
  async giveUp(request: MediaVariantRequested): Promise<void> {
    await this.publish(request, null, 0);
  }

  private publish(
    { media_id, slug, variant: { key } }: MediaVariantRequested,
    bytes: number | null,
    took_ms: number,
  ): Promise<void> {
    return this.publisher.publish(mediaVariantRemade, { media_id, slug, key, bytes, took_ms });
  }

  /** Returns the bytes of the stored object. */
  private make({ variant, ...media }: MediaVariantRequested): Promise<number> {
    return this.jobs.run(
      {
        media,
        task: { makes: 'variant', variant },
        lane: 'interactive',
        subject: variant.key,
        logger: this.logger,
        accept: (made, folders) => moveRemadeFile(made, variant.key, folders),
      },
      async ({ files }, folder) => {
        const path = join(folder, files[0]!.file);
        const { size } = await stat(path);
        await this.storage.moveIn(path, variant.key);
        return size;
      },
    );
  }
}
