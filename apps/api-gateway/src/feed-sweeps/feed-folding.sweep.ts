import { Injectable } from '@nestjs/common';
import { FeedCountsService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { Gauge, Registry } from 'prom-client';
import { WOKEN_REST_SECONDS } from '../resting/woken-rest';

/** Folds the deltas of feeds into their counts, continuously. */
@Injectable()
export class FeedFoldingSweep extends Sweep {
  readonly name = 'counts of feeds';
  /** Readers add deltas that are not folded yet, so the pause limits how much they read, not how old their counts are. */
  readonly intervalSeconds = 1;
  override readonly restSeconds = WOKEN_REST_SECONDS;
  override readonly startsAtOnce = false;
  private readonly deltas: Gauge;
  private readonly oldest: Gauge;

  constructor(
    private readonly counts: FeedCountsService,
    registry: Registry,
  ) {
    super();
    const registers = [registry];
    this.deltas = new Gauge({
      name: 'vitrine_feed_deltas',
      help: 'Changes of feeds that were waiting to be folded into their counts at the last check.',
      registers,
    });
    this.oldest = new Gauge({
      name: 'vitrine_feed_deltas_oldest_seconds',
      help: 'Age of the oldest change that was waiting to be folded.',
      registers,
    });
  }

  /** Measures how much is waiting, and folds it. Runs too often to be logged. */
  async runOnce(): Promise<Readonly<Record<string, number>>> {
    const { deltas, seconds } = await this.counts.findUnfolded();
    this.deltas.set(deltas);
    this.oldest.set(seconds);
    if (deltas > 0) await this.counts.foldAll();
    return {};
  }
}
