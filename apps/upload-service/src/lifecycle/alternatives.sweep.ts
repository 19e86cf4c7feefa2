import { Injectable } from '@nestjs/common';
import { Sweep } from '@vitrine/runtime';
import { UploadConfig } from '../config/upload.config';
import { AlternativesMetrics } from './alternatives-metrics';
import { AlternativesWork } from './alternatives-work.service';

/** Begins to request alternatives that wait; each answer then requests the next ones. */
@Injectable()
export class AlternativesSweep extends Sweep {
  readonly name = 'alternatives';
  readonly intervalSeconds: number;

  constructor(
    { sweepIntervalSeconds }: UploadConfig,
    private readonly work: AlternativesWork,
    private readonly metrics: AlternativesMetrics,
  ) {
    super();
    this.intervalSeconds = sweepIntervalSeconds;
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    const { media } = await this.metrics.measure();
    if (media === 0) return {};
    return { requested: await this.work.requestNext(), 'given up': await this.work.giveUp() };
  }
}
