import { Injectable } from '@nestjs/common';
import { mediaAlternativesRequested } from '@vitrine/contracts';
import { MessageTransport, queuesOf } from '@vitrine/messaging';
import { Sweep } from '@vitrine/runtime';
import { UploadConfig } from '../config/upload.config';
import { AlternativesMetrics } from './alternatives-metrics';
import { AlternativesWork } from './alternatives-work.service';

const QUEUES = queuesOf([mediaAlternativesRequested]);

/** Begins to request alternatives that wait; each answer then requests the next ones. */
@Injectable()
export class AlternativesSweep extends Sweep {
  readonly name = 'alternatives';
  readonly intervalSeconds: number;

  constructor(
    { sweepIntervalSeconds }: UploadConfig,
    private readonly work: AlternativesWork,
    private readonly metrics: AlternativesMetrics,
    private readonly bus: MessageTransport,
  ) {
    super();
    this.intervalSeconds = sweepIntervalSeconds;
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    const { media } = await this.metrics.measure();
    if (media === 0) return {};
    const requested = (await this.isQueueEmpty()) ? await this.work.requestNext() : 0;
    const given = await this.work.giveUp();
    return { requested, 'given up': given };
  }

  /** Requests that no media-processor has taken yet would otherwise be repeated, and given up during a long outage. */
  private async isQueueEmpty(): Promise<boolean> {
    if (!this.bus.healthy()) return false;
    const depths = await Promise.all(QUEUES.map(({ name }) => this.bus.depth(name)));
    return depths.every(({ waiting }) => waiting === 0);
  }
}
