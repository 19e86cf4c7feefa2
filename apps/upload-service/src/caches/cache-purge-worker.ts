import { Logger } from '@nestjs/common';
import { SingleFlight } from '@vitrine/concurrency';
import type { CachePurges, ClaimedPurge } from '@vitrine/domain';
import { errorMessage } from '@vitrine/runtime';
import type { CachePurgeMetrics } from './cache-purge-metrics';
import { CachePurgeError, type CachePurger } from './cache-purger';

/**
 * After these seconds a purge that was taken and not recorded is due again. An attempt is ended a little earlier, so that no
 * other process takes what this one still sends.
 */
const LEASE_SECONDS = 60;
const ATTEMPT_MS = 50_000;
/** The pause between two batches: at most five requests a second, as the smallest paid plan of Cloudflare allows. */
const BETWEEN_BATCHES_MS = 200;
/** The longest rest, after which purges of processes that have died are found. */
const MAX_REST_MS = 5_000;

/**
 * Tells one cache what it must forget, one batch at a time, as soon as it is due. Any number of processes may do so. A cache
 * that fails delays only its own purges.
 */
export class CachePurgeWorker {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly runs = new SingleFlight(() => this.run());
  private timer: NodeJS.Timeout | undefined;
  /** When the pause that the cache asked for ends, in milliseconds of `performance.now`. */
  private pausedUntil = 0;
  private lastError: string | null = null;

  /**
   * `purgedLate` is called with media that this cache has forgotten only after a failure: other caches may have fetched them
   * from it meanwhile.
   */
  constructor(
    private readonly purger: CachePurger,
    private readonly queue: CachePurges,
    private readonly metrics: CachePurgeMetrics,
    private readonly purgedLate: (cache: string, media: readonly ClaimedPurge[]) => Promise<void>,
  ) {
    this.logger = new Logger(`${CachePurgeWorker.name}: ${purger.name}`);
  }

  /** Begins with what is due now. */
  wake(): void {
    if (!this.stopping.signal.aborted) this.runs.wake();
  }

  /** Ends the current attempt; what it has not told is told by another process, or after the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.runs.current?.catch(() => undefined);
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    let rest = MAX_REST_MS;
    try {
      rest = await this.runBatch();
    } catch (error) {
      this.logger.warn(`The purges could not be read or recorded: ${errorMessage(error)}`);
    }
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => this.runs.wake(), rest).unref();
  }

  /** Returns after how many milliseconds the next batch may begin. */
  private async runBatch(): Promise<number> {
    const pause = this.pausedUntil - performance.now();
    if (pause > 0) return pause;
    const claimed = await this.queue.claim(this.purger.name, this.purger.batch, LEASE_SECONDS);
    if (claimed.length > 0) {
      await this.purge(claimed);
      return BETWEEN_BATCHES_MS;
    }
    const seconds = await this.queue.findSecondsToNext(this.purger.name);
    return Math.min(MAX_REST_MS, seconds === null ? MAX_REST_MS : seconds * 1000 + 1);
  }

  private async purge(claimed: readonly ClaimedPurge[]): Promise<void> {
    const begun = performance.now();
    try {
      const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(ATTEMPT_MS)]);
      await this.purger.purge(claimed, signal);
    } catch (error) {
      await this.recordFailure(claimed, error);
      return;
    }
    await this.queue.recordSuccess(this.purger.name, claimed);
    this.observe(claimed, (performance.now() - begun) / 1000);
    const late = claimed.filter(({ attempt }) => attempt > 1);
    if (late.length > 0) await this.purgedLate(this.purger.name, late);
    if (this.lastError !== null) this.logger.log('The cache can be purged again');
    this.lastError = null;
  }

  private async recordFailure(claimed: readonly ClaimedPurge[], error: unknown): Promise<void> {
    const cache = this.purger.name;
    const message = errorMessage(error);
    const pause = error instanceof CachePurgeError ? error.retryAfterSeconds : undefined;
    if (pause !== undefined) this.pausedUntil = performance.now() + pause * 1000;
    const dead = await this.queue.recordFailure(cache, claimed, message, pause);
    this.metrics.purges.inc({ cache, outcome: 'failed' }, claimed.length - dead);
    this.metrics.purges.inc({ cache, outcome: 'dead' }, dead);
    if (dead > 0) {
      this.logger.error(
        `${dead} purges were given up: ${message}. See docs/runbooks/vitrine-cache-purges-late.md`,
      );
    } else if (message !== this.lastError) {
      this.logger.warn(`Could not purge the cache; trying again: ${message}`);
    }
    this.lastError = message;
  }

  private observe(claimed: readonly ClaimedPurge[], tookSeconds: number): void {
    const cache = this.purger.name;
    this.metrics.purges.inc({ cache, outcome: 'purged' }, claimed.length);
    for (const { age, isFirst } of claimed) {
      if (isFirst) this.metrics.delay.observe({ cache }, age + tookSeconds);
    }
  }
}
