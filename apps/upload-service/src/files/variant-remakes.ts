import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Shares } from '@vitrine/concurrency';
import { mediaVariantRequested } from '@vitrine/contracts';
import { Counters, type Limiter } from '@vitrine/counters';
import { MAX_OPEN_REMAKES, type RemakeStep, UnavailableError, VariantRetention } from '@vitrine/domain';
import { HeldRequests, HoldServices, HttpConfig, RequestClients } from '@vitrine/http';
import { EventPublisher } from '@vitrine/messaging';
import { errorMessage } from '@vitrine/runtime';
import { Counter, Histogram, Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';
import { FilesService, type VariantRemovedError } from './files.service';

const WINDOW_SECONDS = 60;
/** The number of requests that a process may hold, as a share of the files that it serves at the same time. */
const SHARE = 1 / 4;
/** Requests of one address that are held: a page of small pictures through a proxy that opens many connections. */
const PER_ADDRESS = 64;
/** Readers wait for a fraction of a second, and the event may reach another process. */
const POLL_MS = 25;
/** Timers may fire this much too early. */
const TIMER_MS = 5;

/** How a request for a removed variant ended. */
type RemakeOutcome = 'made' | 'limited' | 'busy' | 'failed' | 'late';

/**
 * Has removed variants made again while their readers wait. Of all readers of a variant, one causes the work; each
 * address has a budget, and only so many variants are made at a time.
 */
@Injectable()
export class VariantRemakes extends HeldRequests {
  private readonly log = new Logger(VariantRemakes.name);
  private readonly limiter: Limiter;
  /** Variants that an address has asked for and that may still be being made, also if it no longer waits. */
  private readonly open = new Shares({ limit: MAX_OPEN_REMAKES, each: MAX_OPEN_REMAKES, leavesRoom: true });
  private readonly asked = new Map<string, Promise<RemakeStep>>();
  private readonly ended: Counter<'outcome'>;
  private readonly seconds: Histogram;
  private readonly mayHold: boolean;

  constructor(
    private readonly retention: VariantRetention,
    private readonly publisher: EventPublisher,
    private readonly files: FilesService,
    private readonly clients: RequestClients,
    counters: Counters,
    services: HoldServices,
    registry: Registry,
    { maxConcurrentFiles, fileHoldSeconds }: UploadConfig,
    { remakesPerMinute }: HttpConfig,
  ) {
    const limits = { limit: Math.floor(maxConcurrentFiles * SHARE), each: PER_ADDRESS, pollMs: POLL_MS };
    super(limits, (keys) => retention.findInProgress(keys), services);
    this.mayHold = fileHoldSeconds > 0;
    this.limiter = counters.limiter({
      name: 'variant-remakes',
      points: remakesPerMinute,
      windowSeconds: WINDOW_SECONDS,
    });
    this.ended = new Counter({
      name: 'vitrine_variant_demands_total',
      help: 'Requests for removed variants, by how they ended: made, limited (the address), busy (too many are being made), failed (it can not be made), late (not made in time).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.seconds = new Histogram({
      name: 'vitrine_variant_wait_seconds',
      help: 'Seconds that requests waited for removed variants that were made.',
      buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
  }

  /**
   * Waits until a removed variant may be stored: then look for it again. Resolves with false if it can't be made now
   * or wasn't made until `until` (milliseconds as of `performance.now`). Throws `UnavailableError` if the client or
   * all clients ask for too many: a client may have no more in progress than it leaves to others.
   */
  async demand(
    removed: VariantRemovedError,
    until: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const { clientKey } = this.clients.of(request).client;
    if (!this.isAwaited(removed.key) && this.open.refusalOf(clientKey) !== null) {
      throw this.count('busy', removed);
    }
    const giveBack = this.open.take(clientKey);
    let isMade = false;
    try {
      return (isMade = await this.demandWithin(removed, until, request, response));
    } finally {
      // The work of a reader who has left goes on.
      if (isMade) giveBack();
      else setTimeout(giveBack, Math.max(0, until - performance.now())).unref();
    }
  }

  private async demandWithin(
    removed: VariantRemovedError,
    until: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<boolean> {
    const began = performance.now();
    const { slug, key } = removed;
    if (!this.isAwaited(key)) {
      await this.assertWithinBudget(request);
      const { step } = await this.ask(slug, key);
      if (step === 'busy') throw this.count('busy', removed);
      if (step === 'failed') {
        this.count('failed', removed);
        return false;
      }
      if (step === 'look') {
        this.files.forget(slug);
        return true;
      }
    }
    const seconds = Math.max(0, until - performance.now()) / 1000;
    if (!(await this.hold(key, seconds, request, response))) {
      const isLate = this.mayHold && performance.now() >= until - TIMER_MS;
      this.count(isLate ? 'late' : 'busy', removed);
      if (isLate) return false;
      throw removed;
    }
    this.files.forget(slug);
    this.ended.inc({ outcome: 'made' });
    this.seconds.observe((performance.now() - began) / 1000);
    return true;
  }

  private async assertWithinBudget(request: IncomingMessage): Promise<void> {
    const { exceeded, msBeforeNext } = await this.limiter.consume(this.clients.of(request).client.clientKey);
    if (exceeded) throw this.count('limited', new UnavailableError(Math.ceil(msBeforeNext / 1000)));
  }

  /** The requests of one turn in this process share a statement; those of other processes are found by it. */
  private ask(slug: string, key: string): Promise<RemakeStep> {
    const known = this.asked.get(key);
    if (known) return known;
    const step = this.begin(slug, key).finally(() => this.asked.delete(key));
    this.asked.set(key, step);
    return step;
  }

  /** Published directly, not through the outbox: if the message is lost, the next reader sends another one. */
  private async begin(slug: string, key: string): Promise<RemakeStep> {
    const step = await this.retention.requestRemake(slug, key);
    if (step.step !== 'wait' || !step.request) return step;
    try {
      await this.publisher.publish(mediaVariantRequested, step.request);
      return step;
    } catch (error) {
      this.log.warn(`Could not request the variant ${key}: ${errorMessage(error)}`);
      await this.retention.abandonRemake(key).catch(() => undefined);
      return { step: 'failed' };
    }
  }

  private count<Failure extends Error>(outcome: RemakeOutcome, failure: Failure): Failure {
    this.ended.inc({ outcome });
    return failure;
  }
}
