import { Controller } from '@nestjs/common';
import { type EventEnvelope, mediaProcessed, type MediaProcessed } from '@vitrine/contracts';
import { ImplausibleResultError } from '@vitrine/domain';
import { type ExhaustedEvent, HandleEvent, HandleExhausted } from '@vitrine/messaging';
import { AutomaticModerationService } from './automatic-moderation.service';

/** Handles the events that moderation consumes. */
@Controller()
export class ModerationConsumer {
  constructor(private readonly moderation: AutomaticModerationService) {}

  // While the pictures of one media item are classified, the frames of others are read and decoded.
  @HandleEvent(mediaProcessed, { prefetch: 4 })
  async moderate({ data }: EventEnvelope<MediaProcessed>): Promise<void> {
    await this.moderation.moderate(data);
  }

  @HandleExhausted(mediaProcessed)
  async giveUp({ envelope, error }: ExhaustedEvent<MediaProcessed>): Promise<void> {
    // An implausible message must not lead to a decision.
    if (error instanceof ImplausibleResultError) return;
    await this.moderation.giveUp(envelope.data);
  }
}
