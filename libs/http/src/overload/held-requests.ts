import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Shares } from '@vitrine/concurrency';
import { errorMessage, HttpObserver, onRequestEnd } from '@vitrine/runtime';
import { Counter, Gauge, Registry } from 'prom-client';
import { RequestClients } from '../clients/request-clients';
import { Overload } from './overload';

/** The usual `HoldLimits.pollMs`. */
const POLL_MS = 250;

export interface HoldLimits {
  /** Requests that a process holds. */
  readonly limit: number;
  /** Requests that it holds for one address; never more than there are places left for others. */
  readonly each: number;
  /** Milliseconds between two queries for everything that requests wait for; unset: 250. */
  readonly pollMs?: number;
}

/** Returns those of the slugs that requests must still wait for. */
export type FindPending = (slugs: readonly string[]) => Promise<ReadonlySet<string>>;

/** How a hold ended. */
type HoldOutcome = 'ready' | 'timed_out' | 'gone' | 'refused' | 'stopped';

/** What all holds of a process share, their metrics included. */
@Injectable()
export class HoldServices {
  readonly outcomes: Counter<'outcome'>;
  private readonly shares: Shares[] = [];

  constructor(
    readonly clients: RequestClients,
    readonly overload: Overload,
    readonly observer: HttpObserver,
    registry: Registry,
  ) {
    const registers = [registry];
    this.outcomes = new Counter({
      name: 'vitrine_http_held_total',
      help: 'Requests that had to wait until a media item was ready, by how waiting ended: ready, timed_out, gone, refused (too many), stopped.',
      labelNames: ['outcome'],
      registers,
    });
    const { shares } = this;
    new Gauge({
      name: 'vitrine_http_held',
      help: 'Requests that wait until a media item is ready.',
      registers,
      collect() {
        this.set(shares.reduce((sum, { total }) => sum + total, 0));
      },
    });
  }

  /** Counts what is held with these shares as well. */
  count(shares: Shares): void {
    this.shares.push(shares);
  }
}

/**
 * Holds requests until what they wait for is ready. A held request costs a connection and a timer: it has no place among
 * the requests in progress until its answer begins, and one query at a time asks for all of them (docs/adr/0040).
 */
export class HeldRequests implements BeforeApplicationShutdown {
  private readonly logger = new Logger(HeldRequests.name);
  private readonly shares: Shares;
  /** What to call when a slug is ready. */
  private readonly held = new Map<string, Set<(outcome: HoldOutcome) => void>>();
  private readonly pollMs: number;
  private polling = false;
  private stopped = false;
  private endPause: (() => void) | undefined;

  constructor(
    { pollMs = POLL_MS, ...limits }: HoldLimits,
    private readonly findPending: FindPending,
    private readonly services: HoldServices,
  ) {
    this.shares = new Shares({ ...limits, leavesRoom: true });
    this.pollMs = pollMs;
    services.count(this.shares);
  }

  /** Whether a request waits for this slug. */
  isAwaited(slug: string): boolean {
    return this.held.has(slug);
  }

  /** Looks at once what requests must still wait for, because something has become ready. */
  look(): void {
    this.endPause?.();
  }

  /**
   * Waits until `slug` is ready. Resolves with false if the request isn't held (its address or the process holds too many),
   * after `seconds`, if the client is gone, and at a stop.
   */
  async hold(
    slug: string,
    seconds: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    if (seconds === 0 || this.stopped) return false;
    const { clientKey } = this.services.clients.of(request).client;
    const refused = this.shares.refusalOf(clientKey) !== null;
    const outcome = refused ? 'refused' : await this.wait(slug, seconds, clientKey, request, response);
    this.services.outcomes.inc({ outcome });
    return outcome === 'ready';
  }

  /** Ends all waiting, before the server closes. */
  beforeApplicationShutdown(): void {
    this.stopped = true;
    for (const slug of this.held.keys()) this.end(slug, 'stopped');
  }

  private async wait(
    slug: string,
    seconds: number,
    holder: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<HoldOutcome> {
    const giveBack = this.shares.take(holder);
    this.services.overload.giveBack(request);
    const resume = this.services.observer.hold(request);
    const waiting = this.held.get(slug) ?? new Set();
    this.held.set(slug, waiting);
    let end!: (outcome: HoldOutcome) => void;
    const ended = new Promise<HoldOutcome>((resolve) => (end = resolve));
    waiting.add(end);
    const timer = setTimeout(() => end('timed_out'), seconds * 1000);
    onRequestEnd(request, response, () => end('gone'));
    void this.poll();
    try {
      return await ended;
    } finally {
      clearTimeout(timer);
      resume();
      giveBack();
      this.services.overload.takeAgain(request);
      waiting.delete(end);
      if (waiting.size === 0 && this.held.get(slug) === waiting) this.held.delete(slug);
    }
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    while (this.held.size > 0) {
      await this.pause();
      try {
        const slugs = [...this.held.keys()];
        const pending = await this.findPending(slugs);
        for (const slug of slugs) if (!pending.has(slug)) this.end(slug, 'ready');
      } catch (error) {
        // Keep polling: the database may be back before the requests time out.
        this.logger.warn(`Could not check the media that requests wait for: ${errorMessage(error)}`);
      }
    }
    this.polling = false;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.pollMs);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private end(slug: string, outcome: HoldOutcome): void {
    for (const end of this.held.get(slug) ?? []) end(outcome);
    this.held.delete(slug);
  }
}
