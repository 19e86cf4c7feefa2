import { Controller, Logger } from '@nestjs/common';
import {
  type EventEnvelope,
  mediaAlternativesMade,
  type MediaAlternativesMade,
  type MediaDeleted,
  mediaDeleted,
  type MediaProcessingFailed,
  mediaProcessingFailed,
  type MediaOverran,
  mediaOverran,
  type MediaProgressed,
  mediaProgressed,
  type MediaVariantsStored,
  mediaVariantsStored,
  type MediaVariantRemade,
  mediaVariantRemade,
} from '@vitrine/contracts';
import { MediaProcessingService, ModerationService, VariantRetention } from '@vitrine/domain';
import { HandleEvent } from '@vitrine/messaging';
import { Caches } from '../caches/caches.service';
import { FilesService } from '../files/files.service';
import { VariantRemakes } from '../files/variant-remakes';
import { AlternativesWork } from './alternatives-work.service';
import { PurgeService } from './purge.service';

/**
 * Records the technical states of media: processed, failed, overran, deleted; variants that were made again, and
 * alternatives. An implausible message of the media-processor becomes a dead letter. `media.moderated` is not needed
 * here, because the file host reads the status from the row, and `media.withdrawn` tells what caches must forget.
 */
@Controller()
export class MediaEventsConsumer {
  private readonly logger = new Logger(MediaEventsConsumer.name);

  constructor(
    private readonly processing: MediaProcessingService,
    private readonly purges: PurgeService,
    private readonly files: FilesService,
    private readonly retention: VariantRetention,
    private readonly remakes: VariantRemakes,
    private readonly caches: Caches,
    private readonly alternatives: AlternativesWork,
    private readonly moderation: ModerationService,
  ) {}

  @HandleEvent(mediaVariantsStored, { prefetch: 4 })
  async processed({ data }: EventEnvelope<MediaVariantsStored>): Promise<void> {
    const outcome = await this.processing.recordProcessed(data);
    if (outcome === 'recorded') await this.alternatives.enqueue(data.slug);
    this.files.forget(data.slug);
    // Repeated processing replaces variants, and the first one replaces originals that were served instead of them.
    if (outcome === 'recorded') await this.caches.forgetReplaced(data.slug);
    // The media item was deleted while it was processed, so its variants were stored after the purge.
    if (outcome === 'unknown') await this.purge(data.slug);
  }

  @HandleEvent(mediaProcessingFailed, { prefetch: 4 })
  async failed({ data }: EventEnvelope<MediaProcessingFailed>): Promise<void> {
    const outcome = await this.moderation.recordFailed(data);
    this.files.forget(data.slug);
    if (outcome === 'unknown') await this.purge(data.slug);
  }

  @HandleEvent(mediaOverran, { prefetch: 4 })
  async overran({ data }: EventEnvelope<MediaOverran>): Promise<void> {
    await this.processing.recordOverrun(data);
  }

  @HandleEvent(mediaProgressed, { prefetch: 4 })
  async progressed({ data }: EventEnvelope<MediaProgressed>): Promise<void> {
    await this.processing.recordProgress(data);
  }

  @HandleEvent(mediaVariantRemade, { prefetch: 8 })
  async remade({ data }: EventEnvelope<MediaVariantRemade>): Promise<void> {
    const outcome = await this.retention.recordRemade(data);
    this.files.forget(data.slug);
    this.remakes.look();
    if (outcome === 'unknown') await this.purge(data.slug);
  }

  @HandleEvent(mediaAlternativesMade, { prefetch: 4 })
  async alternativesMade({ data }: EventEnvelope<MediaAlternativesMade>): Promise<void> {
    const outcome = await this.alternatives.record(data);
    this.files.forget(data.slug);
    if (outcome === 'unknown') await this.purge(data.slug);
    // Until now, caches may hold the variant for clients that get an alternative from now on. If the outcome is 'ignored', a
    // process may have recorded the message before and ended before the purge.
    else if (data.outcome !== 'busy') await this.caches.forgetReplaced(data.slug);
    // The sweep asks again for what met busy media-processors.
    if (data.outcome !== 'busy') await this.alternatives.requestNext();
  }

  @HandleEvent(mediaDeleted, { prefetch: 4 })
  async deleted({ data }: EventEnvelope<MediaDeleted>): Promise<void> {
    this.files.forget(data.slug);
    await this.caches.forget([{ slug: data.slug, fileNames: data.file_names ?? [] }], 'withdrawn');
    await this.purge(data.slug);
  }

  private async purge(slug: string): Promise<void> {
    const objects = await this.purges.purge(slug);
    this.logger.log(`Deleted ${objects} objects of the deleted media item ${slug}`);
  }
}
