import { randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { UnavailableError } from '@vitrine/domain';
import { whenOver } from '@vitrine/runtime';
import { Counter, Registry } from 'prom-client';
import { answerTo } from './error-answer';

/** Requests that are bounded together, apart from others. */
export interface Lane {
  /** How their paths begin; empty for whatever has no lane of its own. */
  readonly start: string;
  /** So many may be at work at a time. */
  readonly limit: number;
  /** So many more may wait for a place; where they take long by their nature, none. */
  readonly waiting: number;
}

interface Entry {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly since: number;
}

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

const { status: STATUS, body } = answerTo(new UnavailableError(RETRY_AFTER.from));
const BODY = JSON.stringify(body);

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
  private readonly lanes: BoundedLane[] = [];
  /** Answers that each connection waits for. */
  private readonly owed = new WeakMap<Socket, number>();
  private readonly timer: NodeJS.Timeout;
  private ticked = performance.now();

  constructor(registry: Registry) {
    this.shed = new Counter({
      name: 'vitrine_http_shed_total',
      help: 'Requests that were refused because the process had too many at work.',
      registers: [registry],
    });
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /**
   * Stands before everything that handles the requests of a server; to be called before others listen to them.
   * Refusals carry `headers`.
   */
  protect(server: Server, lanes: readonly Lane[], headers: Readonly<Record<string, string>>): void {
    const handlers = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    const handle: RequestListener = (request, response) => {
      for (const handler of handlers) handler.call(server, request, response);
    };
    const refuse = ({ response }: Entry): void => this.refuse(response, headers);
    const bounded = lanes.map((lane) => new BoundedLane(lane, handle, refuse));
    this.lanes.push(...bounded);
    server.on('request', (request, response) => {
      if (!this.owe(request, response)) return this.refuse(response, headers);
      const lane = bounded.find(({ start }) => request.url?.startsWith(start));
      if (lane) lane.admit({ request, response, since: performance.now() });
      else handle(request, response);
    });
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
    for (const lane of this.lanes) lane.tick(now - LONGEST_WAIT_MS, isLate);
  }

  private refuse(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    this.countShed();
    response.writeHead(STATUS, {
      ...headers,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(BODY),
      'Content-Type': 'application/json; charset=utf-8',
      'Retry-After': String(randomInt(RETRY_AFTER.from, RETRY_AFTER.to + 1)),
      'X-Request-Id': randomUUID(),
    });
    response.end(BODY);
  }
}

class BoundedLane {
  /** The latest last. */
  private readonly waiting: Entry[] = [];
  private atWork = 0;
  private limit: number;

  constructor(
    private readonly options: Lane,
    private readonly handle: RequestListener,
    private readonly refuse: (entry: Entry) => void,
  ) {
    this.limit = options.limit;
  }

  get start(): string {
    return this.options.start;
  }

  admit(entry: Entry): void {
    if (this.atWork < this.limit) return this.begin(entry);
    this.waiting.push(entry);
    if (this.waiting.length > this.options.waiting) this.refuseOldest();
  }

  /** Refuses who came before `longAgo`. A lane whose requests take long isn't narrowed: few of them are any work. */
  tick(longAgo: number, isLate: boolean): void {
    const { limit, waiting } = this.options;
    this.limit = isLate && waiting > 0 ? Math.ceil(limit * LATE_SHARE) : limit;
    while (this.waiting[0] && this.waiting[0].since < longAgo) this.refuseOldest();
    this.letIn();
  }

  private begin({ request, response }: Entry): void {
    this.atWork++;
    whenOver(request, response, () => {
      this.atWork--;
      this.letIn();
    });
    this.handle(request, response);
  }

  private letIn(): void {
    while (this.atWork < this.limit) {
      const latest = this.waiting.pop();
      if (!latest) return;
      // Whoever has hung up meanwhile is owed nothing.
      if (!latest.response.destroyed && !latest.request.socket.destroyed) this.begin(latest);
    }
  }

  private refuseOldest(): void {
    const oldest = this.waiting.shift();
    if (oldest) this.refuse(oldest);
  }
}
