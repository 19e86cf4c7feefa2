import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Counters, Limiter } from '@vitrine/counters';

type ThrottlerStorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Keeps the counts of `@nestjs/throttler` in `Counters`: in memory, or in Redis for all processes together. A window
 * begins with a subject's first request. A subject beyond its limit is blocked until the window ends, so the duration
 * of a block is not used.
 */
export class CountersStorage implements ThrottlerStorage {
  private readonly limiters = new Map<string, Limiter>();

  constructor(private readonly counters: Counters) {}

  /** Counts one request. `ttl` is in milliseconds, times in the result are in seconds, not rounded. */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _blockDuration: number,
    throttlerName: string,
  ): Promise<ThrottlerStorageRecord> {
    const limiter = this.limiterOf(throttlerName, limit, ttl / 1000);
    const { remainingPoints, msBeforeNext, exceeded } = await limiter.consume(key);
    const seconds = msBeforeNext / 1000;
    return {
      totalHits: exceeded ? limit + 1 : limit - remainingPoints,
      timeToExpire: seconds,
      isBlocked: exceeded,
      timeToBlockExpire: exceeded ? seconds : 0,
    };
  }

  private limiterOf(name: string, points: number, windowSeconds: number): Limiter {
    const known = this.limiters.get(name);
    if (known) return known;
    const limiter = this.counters.limiter({ name, points, windowSeconds });
    this.limiters.set(name, limiter);
    return limiter;
  }
}
