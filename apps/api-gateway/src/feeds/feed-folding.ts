import { Injectable } from '@nestjs/common';
import { FeedCountsService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { Gauge, Registry } from 'prom-client';

/** Folds the deltas of feeds into their counts, again and again. */
@Injectable()
export class FeedFolding extends Sweep {
  readonly name = 'counts of feeds';
  /** Readers add up what isn't folded yet, so that this bounds what they read, not how old their answer is. */
  readonly intervalSeconds = 1;
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
      help: 'Changes of feeds that were waiting to be folded into their counts at the last look.',
      registers,
    });
    this.oldest = new Gauge({
      name: 'vitrine_feed_deltas_oldest_seconds',
      help: 'Age of the oldest of them.',
      registers,
    });
  }

  /** Looks how much is waiting, and folds it: too often for a line in the log. */
  async runOnce(): Promise<Readonly<Record<string, number>>> {
    const { deltas, seconds } = await this.counts.findUnfolded();
    this.deltas.set(deltas);
    this.oldest.set(seconds);
    if (deltas > 0) await this.counts.foldAll();
    return {};
  }
}
