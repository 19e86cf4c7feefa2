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
    const limiter = this.limiterOf(throttlerName, limit, ttl);
    const { remainingPoints, msBeforeNext, exceeded } = await limiter.consume(key);
    const seconds = msBeforeNext / 1000;
    return {
      totalHits: exceeded ? limit + 1 : limit - remainingPoints,
      timeToExpire: seconds,
      isBlocked: exceeded,
      timeToBlockExpire: exceeded ? seconds : 0,
    };
  }

  /** Takes one request out of a count. The arguments are those with which `increment` counted it. */
  giveBack(key: string, ttl: number, limit: number, throttlerName: string): Promise<void> {
    return this.limiterOf(throttlerName, limit, ttl).reward(key);
  }

  /** A throttler has several limits if routes set their own; `ThrottlerGuard` makes keys that tell routes apart. */
  private limiterOf(name: string, points: number, ttl: number): Limiter {
    const id = `${name} ${points} ${ttl}`;
    const known = this.limiters.get(id);
    if (known) return known;
    const limiter = this.counters.limiter({ name, points, windowSeconds: ttl / 1000 });
    this.limiters.set(id, limiter);
    return limiter;
  }
}
