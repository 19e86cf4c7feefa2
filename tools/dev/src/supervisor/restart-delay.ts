import { Backoff } from '@vitrine/concurrency';

const STABLE_MS = 60_000;

/** The waits before a process that died is started again. */
export class RestartDelay {
  private readonly backoff = new Backoff({ firstMs: 500, longestMs: 30_000 });

  /**
   * The milliseconds to wait: half a second at first, doubled with each further death, at most 30 s. The delays start
   * again after a life of a minute.
   */
  afterLife(livedMs: number): number {
    if (livedMs >= STABLE_MS) this.backoff.reset();
    return this.backoff.afterFailure();
  }

  /** The next delay is the first one again. */
  reset(): void {
    this.backoff.reset();
  }
}
