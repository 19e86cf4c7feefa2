import { Controller, Logger } from '@nestjs/common';
import {
  type EventEnvelope,
  type MediaDeleted,
  mediaDeleted,
  type MediaFailed,
  mediaFailed,
  type MediaProcessed,
  mediaProcessed,
} from '@vitrine/contracts';
import { MediaService } from '@vitrine/domain';
import { HandleEvent } from '@vitrine/messaging';
import { PurgeService } from './purge.service';

/**
 * Keeps the technical life of media: processed, failed, gone. It needs no `media.moderated`: the file host asks the
 * row itself whether a file is served.
 */
@Controller()
export class MediaEventsController {
  private readonly logger = new Logger(MediaEventsController.name);

  constructor(
    private readonly media: MediaService,
    private readonly purges: PurgeService,
  ) {}

  @HandleEvent(mediaProcessed, { prefetch: 4 })
  async processed({ data }: EventEnvelope<MediaProcessed>): Promise<void> {
    const outcome = await this.media.recordProcessed(data);
    // Variants of a media that was deleted meanwhile came after its purge: they go now.
    if (outcome === 'unknown') await this.purge(data.slug);
  }

  @HandleEvent(mediaFailed, { prefetch: 4 })
  async failed({ data }: EventEnvelope<MediaFailed>): Promise<void> {
    const outcome = await this.media.recordFailed(data);
    if (outcome === 'unknown') await this.purge(data.slug);
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
