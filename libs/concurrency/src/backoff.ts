export interface BackoffRange {
  /** The delay after the first failure. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Delays between attempts: each failure in a row doubles the delay, up to the longest. */
export class Backoff {
  private nextMs: number;

  constructor(private readonly range: BackoffRange) {
    this.nextMs = range.firstMs;
  }

  /** Counts a failure, and returns how many milliseconds to wait before the next attempt. */
  afterFailure(): number {
    const delay = this.nextMs;
    this.nextMs = Math.min(delay * 2, this.range.longestMs);
    return delay;
  }

  /** After a success: the next failure waits for the first delay again. */
  reset(): void {
    this.nextMs = this.range.firstMs;
  }
}
