import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IdempotencyRepository } from './idempotency.repository';

const EVERY_MS = 10 * 60_000;
const BATCH = 1_000;

/** Forgets keys that have had their day; every process does, at moments of its own. */
@Injectable()
export class IdempotencySweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IdempotencySweep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(private readonly repository: IdempotencyRepository) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Removes every key that has had its day, a batch at a time; returns how many. */
  async runOnce(): Promise<number> {
    for (let total = 0; ;) {
      const removed = await this.repository.removeExpired(BATCH);
      total += removed;
      if (removed < BATCH || this.stopped) return total;
    }
  }

  private schedule(): void {
    if (this.stopped) return;
    // Replicas that started together drift apart.
    this.timer = setTimeout(() => (this.running = this.run()), EVERY_MS * (0.5 + Math.random())).unref();
  }

  private async run(): Promise<void> {
    try {
      const removed = await this.runOnce();
      if (removed > 0) this.logger.log(`Forgot ${removed} idempotency keys`);
    } catch (error) {
      this.logger.warn(`Old idempotency keys were not removed: ${(error as Error).message}`);
    }
    this.schedule();
  }
}
