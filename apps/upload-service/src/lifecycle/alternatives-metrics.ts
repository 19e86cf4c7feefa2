import { Injectable } from '@nestjs/common';
import type { MediaAlternativesMade } from '@vitrine/contracts';
import { Alternatives, type AlternativesBacklog } from '@vitrine/domain';
import { Counter, Gauge, Registry } from 'prom-client';

/** The metrics of alternatives. */
@Injectable()
export class AlternativesMetrics {
  private readonly copies: Counter<'type'>;
  private readonly bytes: Counter;
  private readonly seconds: Counter;
  private readonly waiting: Gauge;
  private readonly oldest: Gauge;

  constructor(
    private readonly alternatives: Alternatives,
    registry: Registry,
  ) {
    const registers = [registry];
    this.copies = new Counter({
      name: 'vitrine_alternatives_total',
      help: 'Sizes of photographs that were stored in another format, by type.',
      labelNames: ['type'],
      registers,
    });
    this.bytes = new Counter({
      name: 'vitrine_alternative_saved_bytes_total',
      help: 'Bytes by which sizes in other formats are smaller than their JPEGs, as stored.',
      registers,
    });
    this.seconds = new Counter({
      name: 'vitrine_alternative_seconds_total',
      help: 'Seconds that decoders worked on other formats.',
      registers,
    });
    this.waiting = new Gauge({
      name: 'vitrine_alternatives_waiting',
      help: 'Media that wait for other formats, at most 100,000.',
      registers,
    });
    this.oldest = new Gauge({
      name: 'vitrine_alternatives_oldest_seconds',
      help: 'How long the oldest of them has waited.',
      registers,
    });
  }

  /** Counts what was made for one media item. */
  made({ alternatives, took_ms }: MediaAlternativesMade, savedBytes: number): void {
    for (const { ext } of alternatives) this.copies.inc({ type: ext });
    this.bytes.inc(savedBytes);
    this.seconds.inc(took_ms / 1000);
  }

  /** Measures what waits, and returns it. */
  async measure(): Promise<AlternativesBacklog> {
    const backlog = await this.alternatives.findBacklog();
    this.waiting.set(backlog.media);
    this.oldest.set(backlog.oldestSeconds);
    return backlog;
  }
}
