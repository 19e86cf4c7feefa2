import { Injectable } from '@nestjs/common';
import { Sweep } from '@vitrine/runtime';
import { CachePurgeMetrics } from './cache-purge-metrics';
import { CachePurgers } from './cache-purgers';

/** Measures the purges that wait. */
@Injectable()
export class CachePurgeSweep extends Sweep {
  readonly name = 'cache purge metrics';
  readonly intervalSeconds = 15;

  constructor(
    private readonly metrics: CachePurgeMetrics,
    private readonly purgers: CachePurgers,
  ) {
    super();
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    if (this.purgers.names.length > 0) await this.metrics.measure();
    return {};
  }
}
