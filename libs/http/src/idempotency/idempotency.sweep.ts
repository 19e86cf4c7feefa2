import { Injectable } from '@nestjs/common';
import { Sweep } from '@vitrine/runtime';
import { IdempotencyRepository } from './idempotency.repository';

const BATCH = 1_000;

/** Deletes expired keys. */
@Injectable()
export class IdempotencySweep extends Sweep {
  readonly name = 'idempotency keys';
  readonly intervalSeconds = 600;
  override readonly jitter = 0.5;
  override readonly startsAtOnce = false;

  constructor(private readonly repository: IdempotencyRepository) {
    super();
  }

  /** Deletes every expired key, in batches. */
  async runOnce(mayContinue: () => boolean = () => true): Promise<{ readonly forgotten: number }> {
    for (let forgotten = 0; ;) {
      const removed = await this.repository.removeExpired(BATCH);
      forgotten += removed;
      if (removed < BATCH || !mayContinue()) return { forgotten };
    }
  }
}
