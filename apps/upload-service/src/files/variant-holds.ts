import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Shares } from '@vitrine/concurrency';
import { MediaService } from '@vitrine/domain';
import { RequestClients } from '@vitrine/http';
import { errorMessage, whenOver } from '@vitrine/runtime';
import { Counter, Gauge, Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';

/** Of the requests for files that a process serves at the same time, the share that it may hold. */
const SHARE = 1 / 4;
/** Requests of one address that are held: two browsers with six connections each, and some programs. */
const PER_ADDRESS = 16;
/** Interval between two queries for all media that requests wait for, in milliseconds. */
const POLL_MS = 250;

/** How a hold ended; `ready`: the media item has been processed, withdrawn or deleted. */
type Outcome = 'ready' | 'timed_out' | 'gone' | 'refused' | 'stopped';

/**
 * Holds requests for variants that are being made: programs that fetch a new link within its first second, for a link
 * preview, remember a failure for good. A held request uses a place among the files that are served, and nothing else:
 * one query at a time asks for all of them.
 */
@Injectable()
export class VariantHolds implements BeforeApplicationShutdown {
  private readonly logger = new Logger(VariantHolds.name);
  private readonly shares: Shares;
  private readonly seconds: number;
  /** What to call when the media item is ready, by slug. */
  private readonly held = new Map<string, Set<(outcome: Outcome) => void>>();
  private readonly outcomes: Counter<'outcome'>;
  private polling = false;
  private stopped = false;

  constructor(
    private readonly media: MediaService,
    private readonly clients: RequestClients,
    config: UploadConfig,
    registry: Registry,
  ) {
    this.seconds = config.fileHoldSeconds;
    const limit = Math.floor(config.maxConcurrentFiles * SHARE);
    this.shares = new Shares({ limit, each: PER_ADDRESS, leavesRoom: true });
    this.outcomes = new Counter({
      name: 'vitrine_file_holds_total',
      help: 'Requests for variants that were being made, by how waiting ended: ready, timed_out, gone, refused (too many), stopped.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    const { shares } = this;
    new Gauge({
      name: 'vitrine_file_holds',
      help: 'Requests that wait for a variant that is being made.',
      registers: [registry],
      collect() {
        this.set(shares.total);
      },
    });
  }

  /**
   * Waits until the media item `slug` is processed, withdrawn or deleted. Resolves with false if the request isn't held
   * (its address or the process holds too many), after `FILE_HOLD_SECONDS`, if the client is gone, and at a stop.
   */
  async hold(slug: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (this.seconds === 0 || this.stopped) return false;
    const { clientKey } = this.clients.of(request).client;
    const refused = this.shares.refusalOf(clientKey) !== null;
    const outcome = refused ? 'refused' : await this.wait(slug, clientKey, request, response);
    this.outcomes.inc({ outcome });
    return outcome === 'ready';
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    for (const slug of this.held.keys()) this.end(slug, 'stopped');
  }

  private async wait(
    slug: string,
    holder: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Outcome> {
    const giveBack = this.shares.take(holder);
    const waiting = this.held.get(slug) ?? new Set();
    this.held.set(slug, waiting);
    let end!: (outcome: Outcome) => void;
    const ended = new Promise<Outcome>((resolve) => (end = resolve));
    waiting.add(end);
    const timer = setTimeout(() => end('timed_out'), this.seconds * 1000);
    whenOver(request, response, () => end('gone'));
    void this.poll();
    try {
      return await ended;
    } finally {
      clearTimeout(timer);
      giveBack();
      waiting.delete(end);
      if (waiting.size === 0 && this.held.get(slug) === waiting) this.held.delete(slug);
    }
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    while (this.held.size > 0) {
      await new Promise((wake) => setTimeout(wake, POLL_MS));
      try {
        const slugs = [...this.held.keys()];
        const unprocessed = await this.media.findUnprocessed(slugs);
        for (const slug of slugs) if (!unprocessed.has(slug)) this.end(slug, 'ready');
      } catch (error) {
        // The database may be back before the requests have waited long enough.
        this.logger.warn(`Could not look for new variants: ${errorMessage(error)}`);
      }
    }
    this.polling = false;
  }

  private end(slug: string, outcome: Outcome): void {
    for (const end of this.held.get(slug) ?? []) end(outcome);
    this.held.delete(slug);
  }
}
