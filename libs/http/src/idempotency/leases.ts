import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { errorMessage } from '@vitrine/runtime';
import { type Claim, IdempotencyRepository } from './idempotency.repository';

/** Seconds after which an attempt that has not renewed its lease counts as dead with its process. */
export const LEASE_SECONDS = 10;
const RENEW_EVERY_MS = 3_000;

/** Renews the leases of the attempts that run in this process. */
@Injectable()
export class Leases implements OnApplicationShutdown {
  private readonly logger = new Logger(Leases.name);
  private readonly held = new Set<Claim>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly repository: IdempotencyRepository) {}

  /** Runs `work`, and renews the lease of `claim` until it ends. */
  async during<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    this.held.add(claim);
    this.timer ??= setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
    try {
      return await work();
    } finally {
      this.held.delete(claim);
      if (this.held.size === 0) this.stop();
    }
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async renew(): Promise<void> {
    try {
      await this.repository.renew([...this.held], LEASE_SECONDS);
    } catch (error) {
      // The next renewal may succeed. An attempt whose lease has ended can commit nothing.
      this.logger.warn(
        `Could not renew the leases of idempotency keys; the next attempt follows: ${errorMessage(error)}`,
      );
    }
  }
}
