import { Injectable } from '@nestjs/common';
import { Sweep } from '@vitrine/runtime';
import { IdempotencyRepository } from './idempotency.repository';

const BATCH = 1_000;

/** Forgets keys that have had their day. */
@Injectable()
export class IdempotencySweep extends Sweep {
  readonly name = 'idempotency keys';
  readonly intervalSeconds = 600;
  override readonly jitter = 0.5;
  override readonly startsAtOnce = false;

  constructor(private readonly repository: IdempotencyRepository) {
    super();
  }

  /** Removes every key that has had its day, a batch at a time. */
  async runOnce(goOn: () => boolean = () => true): Promise<{ readonly forgotten: number }> {
    for (let forgotten = 0; ;) {
      const removed = await this.repository.removeExpired(BATCH);
      forgotten += removed;
      if (removed < BATCH || !goOn()) return { forgotten };
    }
  }
}
