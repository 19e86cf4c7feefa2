import { randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LoadShedError, TooManyRequestsError } from '@vitrine/domain';
import { Shares } from '@vitrine/concurrency';
import { type FrontHandler, pathBegins, onRequestEnd } from '@vitrine/runtime';
import { Counter, Registry } from 'prom-client';
import { answerTo, type ErrorAnswer } from '../errors/error-answer';
import { renderError } from '../errors/error-shape';
import { RequestClients } from '../clients/request-clients';

/** A group of requests with separate limits. */
export interface RequestLane {
  /** The prefix of their paths; empty for requests that are in no other lane. */
  readonly start: string;
  /** Requests that are processed at a time. */
  readonly limit: number;
  /** Requests that may wait for a place; 0 if the requests of the lane usually take long. */
  readonly waiting: number;
  /**
   * Requests of one address (IPv6: one /64) that may be processed at a time; in a lane without a queue, never more than
   * there are places left for others. Further requests wait in a lane with a queue, and are answered 429 in one without.
   */
  readonly perAddress: number;
}

interface Entry {
  /** The address that the request counts for. */
  readonly holder: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Handles the request. */
  readonly next: () => void;
  readonly since: number;
  /** When the answer was first found written but not yet taken by the client. */
  answeredAt?: number;
}

/** Milliseconds that a client may take to read a written answer. */
export interface AnswerTimeLimits {
  readonly usually: number;
  /** The limit while more than half of the places of the lane are taken. */
  readonly crowded: number;
}

/**
 * A request holds its place until its client has taken the answer. Without a limit, two addresses that read nothing could
 * hold all places. A phone in a slow network receives the longest answers, about 500 KB, in this time.
 */
const ANSWER_PATIENCE: AnswerTimeLimits = { usually: 60_000, crowded: 10_000 };

/** A request that has waited longer is refused, so that its client can try again, perhaps at another process. */
const MAX_WAIT_MS = 250;

/** Interval between two checks of the waiting requests and of the delay of the event loop. */
const TICK_MS = 50;

/** If a timer fires later than this, the process is overloaded. */
const LATE_MS = 250;

/**
 * Requests of one connection that may be in progress. Clients that pipeline send only a few at a time; without a limit one
 * packet could take every place.
 */
const PER_CONNECTION = 16;

/** The share of a lane's limit that remains meanwhile. */
const LATE_SHARE = 0.25;

/** Seconds; random, so that clients that were refused together do not come back together. */
const RETRY_AFTER = { from: 1, to: 5 } as const;

const SHED = answerTo(new LoadShedError(RETRY_AFTER.from));
const SHARE_TAKEN = answerTo(new TooManyRequestsError(RETRY_AFTER.from));

/**
 * Limits the requests that a public host processes at a time. Further requests are answered 503 at once, before anything
 * is read, looked up or counted for them, so that the others are served as quickly as usual (docs/adr/0018).
 *
 * Of the waiting requests the latest is served first. During a long overload, the clients that have waited longest have
 * probably given up; serving them in order would make all clients wait.
 */
@Injectable()
export class Overload implements OnApplicationShutdown {
  private readonly shed: Counter;
  private readonly shareRefusals: Counter;
  private readonly lanes: BoundedLane[] = [];
  /** The number of answers that each connection waits for. */
  private readonly owed = new WeakMap<Socket, number>();
  /** Runs only while there are requests, so that an idle process isn't woken up. */
  private timer: NodeJS.Timeout | undefined;
  private ticked = 0;

  constructor(
    registry: Registry,
    private readonly clients: RequestClients,
  ) {
    this.shed = new Counter({
      name: 'vitrine_http_shed_total',
      help: 'Requests that were refused because the process was handling too many.',
      registers: [registry],
    });
    this.shareRefusals = new Counter({
      name: 'vitrine_http_share_refusals_total',
      help: 'Requests that were refused because their address already had its share of the places.',
      registers: [registry],
    });
  }

  /** Makes the handler that passes requests on within the limits of their lanes. Refusals carry `headers`. */
  limit(
    lanes: readonly RequestLane[],
    headers: Readonly<Record<string, string>>,
    patience = ANSWER_PATIENCE,
  ): FrontHandler {
    const refuse: Refuse = ({ response }, answer) => this.refuse(response, answer, headers);
    const bounded = lanes.map((lane) => new BoundedLane(lane, refuse, patience));
    this.lanes.push(...bounded);
    return (request, response, next) => {
      if (!this.owe(request, response)) return this.refuse(response, SHED, headers);
      const lane = bounded.find(({ start }) => start === '' || pathBegins(request, start));
      if (!lane) return next();
      this.watch();
      const holder = this.clients.of(request).client.clientKey;
      lane.admit({ holder, request, response, next, since: performance.now() });
    };
  }

  /** Whether more than half of the places of the lane with this prefix are taken. */
  isCrowded(start: string): boolean {
    return this.lanes.some((lane) => lane.start === start && lane.isCrowded);
  }

  /**
   * Gives back the place of a request that only waits from now on. Its handler must bound by itself how many requests
   * wait (`HeldRequests`).
   */
  giveBack(request: IncomingMessage): void {
    for (const lane of this.lanes) lane.giveBack(request);
  }

  /**
   * Takes a place again for a request that has waited, so that its client's reading of the answer counts as any other's.
   * Takes it even if none is free: at most, the lane then has as many requests more as wait.
   */
  takeAgain(request: IncomingMessage): void {
    for (const lane of this.lanes) lane.takeAgain(request);
  }

  /** Counts a request that another part of the host refused because it was handling too many. */
  countShed(): void {
    this.shed.inc();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Counts an answer that the connection waits for; false if the connection is at its limit. */
  private owe(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const owed = this.owed.get(socket) ?? 0;
    if (owed === PER_CONNECTION) return false;
    this.owed.set(socket, owed + 1);
    onRequestEnd(request, response, () => this.owed.set(socket, (this.owed.get(socket) ?? 1) - 1));
    return true;
  }

  private watch(): void {
    if (this.timer) return;
    this.ticked = performance.now();
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  private tick(): void {
    const now = performance.now();
    const isLate = now - this.ticked > TICK_MS + LATE_MS;
    this.ticked = now;
    for (const lane of this.lanes) lane.tick(now, isLate);
    if (isLate || this.lanes.some((lane) => lane.hasRequests)) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private refuse(
    response: ServerResponse,
    answer: ErrorAnswer,
    headers: Readonly<Record<string, string>>,
  ): void {
    if (answer === SHED) this.countShed();
    else this.shareRefusals.inc();
    const { status, type, text } = renderError(response.req, answer);
    response.writeHead(status, {
      ...headers,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(text),
      'Content-Type': type,
      'Retry-After': String(randomInt(RETRY_AFTER.from, RETRY_AFTER.to + 1)),
      'X-Request-Id': randomUUID(),
    });
    response.end(text);
  }
}

type Refuse = (entry: Entry, answer: ErrorAnswer) => void;

class BoundedLane {
  /** Waiting requests, the latest last. */
  private readonly waiting: Entry[] = [];
  private readonly atWork = new Map<IncomingMessage, { readonly entry: Entry; giveBack: () => void }>();
  private readonly shares: Shares;
  private limit: number;

  constructor(
    private readonly options: RequestLane,
    private readonly refuse: Refuse,
    private readonly patience: AnswerTimeLimits,
  ) {
    this.limit = options.limit;
    const { limit, perAddress, waiting } = options;
    this.shares = new Shares({ limit, each: perAddress, leavesRoom: waiting === 0 });
  }

  get start(): string {
    return this.options.start;
  }

  get hasRequests(): boolean {
    return this.atWork.size > 0 || this.waiting.length > 0;
  }

  get isCrowded(): boolean {
    return this.shares.total > this.options.limit / 2;
  }

  admit(entry: Entry): void {
    const refusal = this.refusalOf(entry);
    if (!refusal) return this.begin(entry);
    if (this.options.waiting === 0) return this.refuse(entry, refusal === 'share' ? SHARE_TAKEN : SHED);
    this.waiting.push(entry);
    if (this.waiting.length > this.options.waiting) this.refuseOldest();
  }

  /** Refuses requests that have waited too long. A late process narrows only lanes with a queue: others need little CPU. */
  tick(now: number, isLate: boolean): void {
    const { limit, waiting } = this.options;
    this.limit = isLate && waiting > 0 ? Math.ceil(limit * LATE_SHARE) : limit;
    while (this.waiting[0] && this.waiting[0].since < now - MAX_WAIT_MS) this.refuseOldest();
    this.leaveSlowReaders(now);
    this.letIn();
  }

  /** Closes the connections of clients that do not read their answers. */
  private leaveSlowReaders(now: number): void {
    const patience = this.isCrowded ? this.patience.crowded : this.patience.usually;
    for (const { entry } of this.atWork.values()) {
      if (!entry.response.writableEnded) continue;
      entry.answeredAt ??= now;
      if (now - entry.answeredAt > patience) entry.request.socket.destroy();
    }
  }

  /** Null if the request may begin. While the lane has fewer places, the shares are smaller too. */
  private refusalOf({ holder }: Entry): 'full' | 'share' | null {
    const { limit, perAddress, waiting } = this.options;
    const each = Math.ceil((perAddress * this.limit) / limit);
    return this.shares.refusalOf(holder, { limit: this.limit, each, leavesRoom: waiting === 0 });
  }

  private begin(entry: Entry): void {
    const { holder, request, response, next } = entry;
    this.atWork.set(request, { entry, giveBack: this.shares.take(holder) });
    onRequestEnd(request, response, () => {
      this.giveBack(request);
      this.atWork.delete(request);
    });
    next();
  }

  giveBack(request: IncomingMessage): void {
    const work = this.atWork.get(request);
    if (!work) return;
    work.giveBack();
    this.letIn();
  }

  takeAgain(request: IncomingMessage): void {
    const work = this.atWork.get(request);
    if (!work) return;
    work.giveBack();
    work.giveBack = this.shares.take(work.entry.holder);
  }

  /** Begins waiting requests, the latest first, except for those whose addresses have their share. */
  private letIn(): void {
    for (let index = this.waiting.length - 1; index >= 0 && this.shares.total < this.limit; index--) {
      const entry = this.waiting[index];
      if (!entry || this.refusalOf(entry)) continue;
      this.waiting.splice(index, 1);
      // The client may have closed its connection meanwhile.
      if (!entry.response.destroyed && !entry.request.socket.destroyed) this.begin(entry);
    }
  }

  private refuseOldest(): void {
    const oldest = this.waiting.shift();
    if (oldest) this.refuse(oldest, SHED);
  }
}
