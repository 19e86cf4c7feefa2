import { Controller, Logger } from '@nestjs/common';
import {
  type EventEnvelope,
  type MediaDeleted,
  mediaDeleted,
  type MediaFailed,
  mediaFailed,
  type MediaOverran,
  mediaOverran,
  type MediaProcessed,
  mediaProcessed,
} from '@vitrine/contracts';
import { MediaProcessingService } from '@vitrine/domain';
import { HandleEvent } from '@vitrine/messaging';
import { PurgeService } from './purge.service';

/**
 * Records the technical states of media: processed, failed, too slow, gone. An implausible message of the media-processor
 * becomes a dead letter. It needs no `media.moderated`: the file host asks the row itself whether a file is served.
 */
@Controller()
export class MediaEventsController {
  private readonly logger = new Logger(MediaEventsController.name);

  constructor(
    private readonly processing: MediaProcessingService,
    private readonly purges: PurgeService,
  ) {}

  @HandleEvent(mediaProcessed, { prefetch: 4 })
  async processed({ data }: EventEnvelope<MediaProcessed>): Promise<void> {
    const outcome = await this.processing.recordProcessed(data);
    // Variants of a media that was deleted meanwhile came after its purge: they go now.
    if (outcome === 'unknown') await this.purge(data.slug);
  }

  @HandleEvent(mediaFailed, { prefetch: 4 })
  async failed({ data }: EventEnvelope<MediaFailed>): Promise<void> {
    const outcome = await this.processing.recordFailed(data);
    if (outcome === 'unknown') await this.purge(data.slug);
  }

  @HandleEvent(mediaOverran, { prefetch: 4 })
  async overran({ data }: EventEnvelope<MediaOverran>): Promise<void> {
    await this.processing.recordOverrun(data);
  }

  @HandleEvent(mediaDeleted, { prefetch: 4 })
  async deleted({ data }: EventEnvelope<MediaDeleted>): Promise<void> {
    await this.purge(data.slug);
  }

  private async purge(slug: string): Promise<void> {
    const objects = await this.purges.purge(slug);
    this.logger.log(`Removed ${objects} objects of ${slug}`);
  }
}
