import { randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LoadShedError, TooManyRequestsError } from '@vitrine/domain';
import { pathBegins, Shares, whenOver } from '@vitrine/runtime';
import { Counter, Registry } from 'prom-client';
import { answerTo, type ErrorAnswer } from './error-answer';
import { RequestClients } from './request-clients';

/** Requests that are bounded together, apart from others. */
export interface Lane {
  /** The prefix of their paths; empty for requests without a lane of their own. */
  readonly start: string;
  /** So many may be at work at a time. */
  readonly limit: number;
  /** So many more may wait for a place; where they take long by their nature, none. */
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
  readonly since: number;
  /** When its answer was first seen to be written, and not to be taken. */
  answeredAt?: number;
}

/** Milliseconds that a client may take to read an answer that is written. */
export interface AnswerPatience {
  readonly usually: number;
  /** While more than half of the places of its lane are taken. */
  readonly crowded: number;
}

/**
 * A place is held until its answer has been taken: two addresses that read nothing could hold all places for ever. The
 * longest answers, some 500 KB, come to a phone in a slow network in this time.
 */
const ANSWER_PATIENCE: AnswerPatience = { usually: 60_000, crowded: 10_000 };

/** Who has waited this long is told so: a client would rather try again, elsewhere perhaps. */
const LONGEST_WAIT_MS = 250;

/** Between two looks at who waits, and at how late the process is. */
const TICK_MS = 50;

/** Where a timer comes later than this, the process has more to do than it can. */
const LATE_MS = 250;

/**
 * Requests that one connection may have under way. Whoever sends them ahead of the answers sends a few; without a bound
 * one connection, and a packet, could take every place there is.
 */
const PER_CONNECTION = 16;

/** What is left of a lane's limit meanwhile. */
const LATE_SHARE = 0.25;

/** Seconds, so that those who were refused together don't come again together. */
const RETRY_AFTER = { from: 1, to: 5 } as const;

const SHED = answerTo(new LoadShedError(RETRY_AFTER.from));
const SHARE_TAKEN = answerTo(new TooManyRequestsError(RETRY_AFTER.from));

/**
 * Bounds the requests that a public host works on. What exceeds that is answered 503 at once, before anything is read,
 * looked up or counted for it, so that those who are let in are served as quickly as ever (docs/adr/0018).
 *
 * Who waits is let in the latest first: in a rush that goes on, those who have waited longest are those whose clients
 * have given up, and serving them in order would make everybody wait.
 */
@Injectable()
export class Overload implements OnApplicationShutdown {
  private readonly shed: Counter;
  private readonly shareRefusals: Counter;
  private readonly lanes: BoundedLane[] = [];
  /** Answers that each connection waits for. */
  private readonly owed = new WeakMap<Socket, number>();
  private readonly timer: NodeJS.Timeout;
  private ticked = performance.now();

  constructor(
    registry: Registry,
    private readonly clients: RequestClients,
  ) {
    this.shed = new Counter({
      name: 'vitrine_http_shed_total',
      help: 'Requests that were refused because the process had too many at work.',
      registers: [registry],
    });
    this.shareRefusals = new Counter({
      name: 'vitrine_http_share_refusals_total',
      help: 'Requests that were refused because their address had its share of the places.',
      registers: [registry],
    });
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /**
   * Stands before everything that handles the requests of a server; to be called before others listen to them.
   * Refusals carry `headers`.
   */
  protect(
    server: Server,
    lanes: readonly Lane[],
    headers: Readonly<Record<string, string>>,
    patience = ANSWER_PATIENCE,
  ): void {
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    const handle: RequestListener = (request, response) => {
      for (const handler of handlers) handler.call(server, request, response);
    };
    const refuse: Refuse = ({ response }, answer) => this.refuse(response, answer, headers);
    const bounded = lanes.map((lane) => new BoundedLane(lane, handle, refuse, patience));
    this.lanes.push(...bounded);
    server.on('request', (request, response) => {
      if (!this.owe(request, response)) return this.refuse(response, SHED, headers);
      const lane = bounded.find(({ start }) => start === '' || pathBegins(request, start));
      if (!lane) return handle(request, response);
      const holder = this.clients.of(request).client.bucket;
      lane.admit({ holder, request, response, since: performance.now() });
    });
  }

  /** Whether more than half of the places of the lane with this prefix are taken. */
  isCrowded(start: string): boolean {
    return this.lanes.some((lane) => lane.start === start && lane.isCrowded);
  }

  /** Counts a request that a part of the host refused by itself, since it had too many at work. */
  countShed(): void {
    this.shed.inc();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** False where its connection has as many under way as it may. */
  private owe(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const owed = this.owed.get(socket) ?? 0;
    if (owed === PER_CONNECTION) return false;
    this.owed.set(socket, owed + 1);
    whenOver(request, response, () => this.owed.set(socket, (this.owed.get(socket) ?? 1) - 1));
    return true;
  }

  private tick(): void {
    const now = performance.now();
    const isLate = now - this.ticked > TICK_MS + LATE_MS;
    this.ticked = now;
    for (const lane of this.lanes) lane.tick(now, isLate);
  }

  private refuse(
    response: ServerResponse,
    { status, body }: ErrorAnswer,
    headers: Readonly<Record<string, string>>,
  ): void {
    if (status === SHED.status) this.countShed();
    else this.shareRefusals.inc();
    const text = JSON.stringify(body);
    response.writeHead(status, {
      ...headers,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(text),
      'Content-Type': 'application/json; charset=utf-8',
      'Retry-After': String(randomInt(RETRY_AFTER.from, RETRY_AFTER.to + 1)),
      'X-Request-Id': randomUUID(),
    });
    response.end(text);
  }
}

type Refuse = (entry: Entry, answer: ErrorAnswer) => void;

class BoundedLane {
  /** The latest last. */
  private readonly waiting: Entry[] = [];
  private readonly atWork = new Set<Entry>();
  private readonly shares: Shares;
  private limit: number;

  constructor(
    private readonly options: Lane,
    private readonly handle: RequestListener,
    private readonly refuse: Refuse,
    private readonly patience: AnswerPatience,
  ) {
    this.limit = options.limit;
    const { limit, perAddress, waiting } = options;
    this.shares = new Shares({ limit, each: perAddress, leavesRoom: waiting === 0 });
  }

  get start(): string {
    return this.options.start;
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

  /** Refuses who has waited too long. A lane whose requests take long isn't narrowed: few of them are any work. */
  tick(now: number, isLate: boolean): void {
    const { limit, waiting } = this.options;
    this.limit = isLate && waiting > 0 ? Math.ceil(limit * LATE_SHARE) : limit;
    while (this.waiting[0] && this.waiting[0].since < now - LONGEST_WAIT_MS) this.refuseOldest();
    this.leaveSlowReaders(now);
    this.letIn();
  }

  /** Closes the connections of clients that do not read their answers. */
  private leaveSlowReaders(now: number): void {
    const patience = this.isCrowded ? this.patience.crowded : this.patience.usually;
    for (const entry of this.atWork) {
      if (!entry.response.writableEnded) continue;
      entry.answeredAt ??= now;
      if (now - entry.answeredAt > patience) entry.request.socket.destroy();
    }
  }

  /** While the lane has fewer places, the shares are smaller too. */
  private refusalOf({ holder }: Entry): 'full' | 'share' | null {
    const { limit, perAddress, waiting } = this.options;
    const each = Math.ceil((perAddress * this.limit) / limit);
    return this.shares.refusalOf(holder, { limit: this.limit, each, leavesRoom: waiting === 0 });
  }

  private begin(entry: Entry): void {
    const { holder, request, response } = entry;
    const giveBack = this.shares.take(holder);
    this.atWork.add(entry);
    whenOver(request, response, () => {
      this.atWork.delete(entry);
      giveBack();
      this.letIn();
    });
    this.handle(request, response);
  }

  /** The latest first, except for requests whose addresses have their share. */
  private letIn(): void {
    for (let index = this.waiting.length - 1; index >= 0 && this.shares.total < this.limit; index--) {
      const entry = this.waiting[index];
      if (!entry || this.refusalOf(entry)) continue;
      this.waiting.splice(index, 1);
      // A client that has hung up meanwhile gets no answer.
      if (!entry.response.destroyed && !entry.request.socket.destroyed) this.begin(entry);
    }
  }

  private refuseOldest(): void {
    const oldest = this.waiting.shift();
    if (oldest) this.refuse(oldest, SHED);
  }
}
