import { Controller } from '@nestjs/common';
import { mediaUploaded, type EventEnvelope, type MediaUploaded } from '@vitrine/contracts';
import { HandleEvent, HandleExhausted, type ExhaustedEvent } from '@vitrine/messaging';
import { failureReason } from '../failures';
import { ProcessingService } from './processing.service';

/** Takes `media.uploaded` off the bus; how many at a time, main.ts sets. */
@Controller()
export class MediaUploadedConsumer {
  constructor(private readonly processing: ProcessingService) {}

  @HandleEvent(mediaUploaded)
  async process({ data }: EventEnvelope<MediaUploaded>): Promise<void> {
    await this.processing.process(data);
  }

  @HandleExhausted(mediaUploaded)
  async giveUp({ envelope }: ExhaustedEvent<MediaUploaded>): Promise<void> {
    await this.processing.giveUp(envelope.data, failureReason.crash);
  }
}
