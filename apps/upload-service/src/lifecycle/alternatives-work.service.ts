import { Injectable, Logger } from '@nestjs/common';
import {
  type MediaAlternativesMade,
  type MediaAlternativesRequested,
  mediaAlternativesRequested,
} from '@vitrine/contracts';
import { Alternatives, type Recorded } from '@vitrine/domain';
import { EventPublisher } from '@vitrine/messaging';
import { errorMessage } from '@vitrine/runtime';
import { AlternativesConfig } from './alternatives.config';
import { AlternativesMetrics } from './alternatives-metrics';

/** Media that are given up in one transaction. */
const BATCH = 20;

/** Requests alternatives from the media-processors, one answer after another, and records what they have made. */
@Injectable()
export class AlternativesWork {
  private readonly logger = new Logger(AlternativesWork.name);

  constructor(
    private readonly alternatives: Alternatives,
    private readonly publisher: EventPublisher,
    private readonly config: AlternativesConfig,
    private readonly metrics: AlternativesMetrics,
  ) {}

  /** Makes a processed media item wait for its alternatives. */
  async enqueue(slug: string): Promise<void> {
    if (this.config.secondsPerHour > 0) await this.alternatives.enqueue(slug);
  }

  /** Records an answer. `ignored` also means that it was recorded when the same message was delivered before. */
  async record(event: MediaAlternativesMade): Promise<Recorded> {
    const { outcome, savedBytes } = await this.alternatives.record(event);
    if (outcome === 'recorded') this.metrics.made(event, savedBytes);
    return outcome;
  }

  /** Requests alternatives of as many media as the budget and the open requests allow; returns of how many. */
  async requestNext(): Promise<number> {
    const { secondsPerHour } = this.config;
    if (secondsPerHour === 0) return 0;
    const requests = await this.alternatives.takeRequests(secondsPerHour);
    for (const request of requests) await this.publish(request);
    return requests.length;
  }

  /** Gives up media whose requests got no answer several times, and all waiting ones if none are made; returns how many. */
  async giveUp(): Promise<number> {
    // While a media item waits, shared caches keep its sizes for a short time only.
    if (this.config.secondsPerHour === 0) return this.alternatives.forgetWaiting();
    return this.alternatives.giveUp(BATCH);
  }

  /** Published directly, not through the outbox: a lost request is repeated when its lease ends. */
  private async publish(request: MediaAlternativesRequested): Promise<void> {
    try {
      await this.publisher.publish(mediaAlternativesRequested, request);
    } catch (error) {
      this.logger.warn(`Could not request alternatives of ${request.slug}: ${errorMessage(error)}`);
      await this.alternatives.abandon(request);
    }
  }
}
