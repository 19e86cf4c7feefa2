import { Controller } from '@nestjs/common';
import {
  type EventEnvelope,
  mediaAlternativesRequested,
  type MediaAlternativesRequested,
  mediaLongProcessingRequested,
  type MediaLongProcessingRequested,
  mediaProcessingRequested,
  type MediaProcessingRequested,
  mediaVariantRequested,
  type MediaVariantRequested,
} from '@vitrine/contracts';
import { HandleEvent, HandleExhausted, type ExhaustedEvent } from '@vitrine/messaging';
import { failureReason } from '../failures/failures';
import { AlternativesService } from './alternatives.service';
import { ProcessingService } from './processing.service';
import { RemakingService } from './remaking.service';

/** Consumes requests for processing from the bus; main.ts sets how many at the same time. */
@Controller()
export class ProcessingRequestsConsumer {
  constructor(
    private readonly processing: ProcessingService,
    private readonly remaking: RemakingService,
    private readonly alternatives: AlternativesService,
  ) {}

  @HandleEvent(mediaProcessingRequested)
  async process({ data }: EventEnvelope<MediaProcessingRequested>): Promise<void> {
    await this.processing.process(data, 'quick');
  }

  @HandleExhausted(mediaProcessingRequested)
  async giveUp({ envelope }: ExhaustedEvent<MediaProcessingRequested>): Promise<void> {
    await this.processing.publishFailure(envelope.data, failureReason.crash);
  }

  @HandleEvent(mediaLongProcessingRequested)
  async processLong({ data }: EventEnvelope<MediaLongProcessingRequested>): Promise<void> {
    await this.processing.process(data, 'long');
  }

  @HandleExhausted(mediaLongProcessingRequested)
  async giveUpLong({ envelope }: ExhaustedEvent<MediaLongProcessingRequested>): Promise<void> {
    await this.processing.publishFailure(envelope.data, failureReason.crash);
  }

  @HandleEvent(mediaVariantRequested)
  async remake({ data, occurred_at }: EventEnvelope<MediaVariantRequested>): Promise<void> {
    await this.remaking.remake(data, new Date(occurred_at));
  }

  @HandleExhausted(mediaVariantRequested)
  async giveUpVariant({ envelope }: ExhaustedEvent<MediaVariantRequested>): Promise<void> {
    await this.remaking.giveUp(envelope.data);
  }

  /** If it fails again and again, upload-service requests it again, or gives it up. */
  @HandleEvent(mediaAlternativesRequested)
  async makeAlternatives({ data, occurred_at }: EventEnvelope<MediaAlternativesRequested>): Promise<void> {
    await this.alternatives.make(data, new Date(occurred_at));
  }
}
