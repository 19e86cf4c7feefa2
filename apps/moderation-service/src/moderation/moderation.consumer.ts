import { Controller } from '@nestjs/common';
import { type EventEnvelope, mediaVariantsStored, type MediaVariantsStored } from '@vitrine/contracts';
import { ImplausibleResultError } from '@vitrine/domain';
import { type ExhaustedEvent, HandleEvent, HandleExhausted } from '@vitrine/messaging';
import { AutomaticModerationService } from './automatic-moderation.service';

/** Handles the events that moderation consumes. */
@Controller()
export class ModerationConsumer {
  constructor(private readonly moderation: AutomaticModerationService) {}

  // While the pictures of one media item are classified, the frames of others are read and decoded.
  @HandleEvent(mediaVariantsStored, { prefetch: 4 })
  async moderate({ data }: EventEnvelope<MediaVariantsStored>): Promise<void> {
    await this.moderation.moderate(data);
  }

  @HandleExhausted(mediaVariantsStored)
  async giveUp({ envelope, error }: ExhaustedEvent<MediaVariantsStored>): Promise<void> {
    // An implausible message must not lead to a decision.
    if (error instanceof ImplausibleResultError) return;
    await this.moderation.giveUp(envelope.data);
  }
}
