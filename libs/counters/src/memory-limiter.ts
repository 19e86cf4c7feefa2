import { LRUCache } from 'lru-cache';
import type { Count } from './counters';

/**
 * The number of keys that are remembered, about 20 MB. An attacker with more addresses than this has a limit for each of them
 * anyway, and gains nothing if the oldest counts are dropped.
 */
const MAX_KEYS = 100_000;

interface Window {
  readonly endsAt: number;
  used: number;
}

/**
 * Counts in windows that begin with a key's first count. Its memory is bounded for any number of keys;
 * `RateLimiterMemory` of rate-limiter-flexible keeps every key until its timer ends.
 */
export class MemoryLimiter {
  private cache: LRUCache<string, Window> | undefined;

  constructor(
    private readonly points: number,
    private readonly windowSeconds: number,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  /** The number of keys that are remembered. */
  get size(): number {
    return this.windows.size;
  }

  /** Created with the first key: it allocates 3 MB immediately, and most limiters of most processes never count. */
  private get windows(): LRUCache<string, Window> {
    return (this.cache ??= new LRUCache({ max: this.maxKeys }));
  }

  /** Adds one to the count of a key. */
  consume(key: string): Count & { readonly exceeded: boolean } {
    const now = performance.now();
    let window = this.running(key, now);
    if (!window) {
      window = { endsAt: now + this.windowSeconds * 1000, used: 0 };
      this.windows.set(key, window);
    }
    window.used++;
    return { ...this.countOf(window, now), exceeded: window.used > this.points };
  }

  /** The count of a key; null if there is none. */
  get(key: string): Count | null {
    const now = performance.now();
    const window = this.running(key, now);
    return window ? this.countOf(window, now) : null;
  }

  /** Subtracts one from the count of a key. */
  reward(key: string): void {
    const window = this.running(key, performance.now());
    if (window) window.used--;
  }

  private running(key: string, now: number): Window | undefined {
    const window = this.windows.get(key);
    return window && window.endsAt > now ? window : undefined;
  }

  private countOf({ used, endsAt }: Window, now: number): Count {
    return { remainingPoints: Math.max(0, this.points - used), msBeforeNext: Math.round(endsAt - now) };
  }
}
