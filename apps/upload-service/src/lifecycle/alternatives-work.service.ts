import { Injectable, Logger } from '@nestjs/common';
import {
  type MediaAlternativesMade,
  type MediaAlternativesRequested,
  mediaAlternativesRequested,
} from '@vitrine/contracts';
import { Alternatives, type Recorded } from '@vitrine/domain';
import { EventPublisher, MessageTransport, queuesOf } from '@vitrine/messaging';
import { errorMessage } from '@vitrine/runtime';
import { AlternativesConfig } from './alternatives.config';
import { AlternativesMetrics } from './alternatives-metrics';

/** Media that are given up in one transaction. */
const BATCH = 20;

const QUEUES = queuesOf([mediaAlternativesRequested]);

/**
 * Requests alternatives from the media-processors, and records what they have made. Each answer brings the next requests as
 * long as none waits in the queue, so that there are as many as the media-processors can work on.
 */
@Injectable()
export class AlternativesWork {
  private readonly logger = new Logger(AlternativesWork.name);

  constructor(
    private readonly alternatives: Alternatives,
    private readonly publisher: EventPublisher,
    private readonly config: AlternativesConfig,
    private readonly metrics: AlternativesMetrics,
    private readonly bus: MessageTransport,
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

  /** Requests alternatives of the next media, unless earlier requests are not taken yet; returns of how many. */
  async requestNext(): Promise<number> {
    if (this.config.secondsPerHour === 0 || !(await this.isQueueEmpty())) return 0;
    const requests = await this.alternatives.takeRequests();
    for (const request of requests) await this.publish(request);
    return requests.length;
  }

  /** Gives up media whose requests got no answer several times, and all waiting ones if none are made; returns how many. */
  async giveUp(): Promise<number> {
    // While a media item waits, shared caches keep its sizes for a short time only.
    if (this.config.secondsPerHour === 0) return this.alternatives.forgetWaiting();
    return this.alternatives.giveUp(BATCH);
  }

  /** Requests that no media-processor has taken yet would otherwise be repeated, and given up during a long outage. */
  private async isQueueEmpty(): Promise<boolean> {
    if (!this.bus.healthy()) return false;
    const depths = await Promise.all(QUEUES.map(({ name }) => this.bus.depth(name)));
    return depths.every(({ waiting }) => waiting === 0);
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
