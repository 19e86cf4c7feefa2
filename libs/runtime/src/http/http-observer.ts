import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { withCorrelation } from '../logging/correlation';
import { descriptionOf, nameRoute, requestIdOf, onRequestEnd } from './requests';
import { type EndedRequest, HttpMetrics, isOurFailure } from './http-metrics';
import { RequestSpan, type TrustsTrace } from './request-span';

/** Methods that are in use here; all others that Node's parser accepts are counted as one. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** How long a request has been held. */
interface Waits {
  ms: number;
  /** When the current wait began. */
  since: number | null;
}

const heldFor = ({ ms, since }: Waits = { ms: 0, since: null }): number =>
  ms + (since === null ? 0 : performance.now() - since);

/** A request that `HttpObserver.follow` observes. */
export interface FollowedRequest {
  /** The answer must carry it as `X-Request-Id`. */
  readonly id: string;
  /** The length of the answer's body, to be set when the answer begins; null if unknown. */
  bytes: number | null;
  /** Runs work as a part of the request: its log lines and events carry the id, and its spans belong to the trace. */
  within(work: () => void): void;
}

/** A request with the route that Express has matched. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: unknown };
}

/**
 * Observes each request of a public host from its beginning to its end: sets its id, which all its log lines and events
 * carry, counts and measures it, writes its log line, and begins its trace.
 */
@Injectable()
export class HttpObserver {
  private readonly logger = new Logger('Access');
  private readonly held = new WeakMap<IncomingMessage, Waits>();

  constructor(private readonly metrics: HttpMetrics) {}

  /** Makes Express middleware, to be used before any other. `trusts`: whether a request may continue its client's trace. */
  middleware(trusts: TrustsTrace = () => false) {
    return (request: IncomingMessage, response: ServerResponse, next: () => void): void =>
      this.observe(request, response, next, trusts);
  }

  /**
   * Counts the time from now on as waiting, which the client has asked for: the request isn't in flight, and doesn't take
   * longer. Returns the function that ends the waiting.
   */
  hold(request: IncomingMessage): () => void {
    const waits = this.held.get(request) ?? { ms: 0, since: null };
    this.held.set(request, waits);
    waits.since = performance.now();
    this.metrics.hold();
    return () => {
      waits.ms = heldFor(waits);
      waits.since = null;
      this.metrics.resume();
    };
  }

  /** Observes a request that no middleware sees, and that arrived at `begun` (`performance.now()`). */
  follow(request: IncomingMessage, response: ServerResponse, route: string, begun: number): FollowedRequest {
    const id = requestIdOf(request);
    nameRoute(request, route);
    const followed: FollowedRequest = {
      id,
      bytes: null,
      within: (work) => withCorrelation(id, () => (span ? span.within(work) : work())),
    };
    const bytes = (): number | null => followed.bytes ?? bytesOf(response);
    const span = this.begin(request, response, id, { trusts: () => false, bytes, begun });
    return followed;
  }

  private observe(
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
    trusts: TrustsTrace,
  ): void {
    const id = requestIdOf(request);
    response.setHeader('X-Request-Id', id);
    const span = this.begin(request, response, id, {
      trusts,
      bytes: () => bytesOf(response),
      begun: performance.now(),
    });
    withCorrelation(id, () => (span ? span.within(next) : next()));
  }

  private begin(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    {
      trusts,
      bytes,
      begun,
    }: { readonly trusts: TrustsTrace; readonly bytes: () => number | null; readonly begun: number },
  ): RequestSpan | undefined {
    const method = METHODS.has(request.method ?? '') ? request.method! : 'OTHER';
    const span = RequestSpan.begin(request, method, id, trusts);
    this.metrics.begin();
    onRequestEnd(request, response, () => {
      const ended: EndedRequest = {
        method,
        route: routeOf(request),
        status: response.writableFinished ? String(response.statusCode) : 'aborted',
        seconds: (performance.now() - begun - heldFor(this.held.get(request))) / 1000,
      };
      this.metrics.end(ended);
      const log = (): void => withCorrelation(id, () => this.log(request, ended, bytes()));
      if (!span) return log();
      span.within(log);
      span.end(ended);
    });
    return span;
  }

  /**
   * Nine in ten requests are reads: they are logged at `debug` only, because metrics say enough about them. Changes and
   * our own failures are logged at `log`, so that they can be found by the id that a client reports.
   */
  private log(request: IncomingMessage, ended: EndedRequest, bytes: number | null): void {
    const { method, route, status, seconds } = ended;
    const { caller = 'anyone' } = descriptionOf(request);
    const ms = Math.round(seconds * 1000);
    const line = `${method} ${route} ${status} in ${ms} ms`;
    const facts = { method, route, status, ms, bytes, caller };
    if (READS.has(method) && !isOurFailure(status)) this.logger.debug(line, facts);
    else this.logger.log(line, facts);
  }
}

/** The pattern that matched, never the path. */
function routeOf(request: RoutedRequest): string {
  const path = request.route?.path;
  return typeof path === 'string' ? path : (descriptionOf(request).route ?? 'none');
}

/** Length of the body that was sent; null if the answer has no `Content-Length`. */
function bytesOf(response: ServerResponse): number | null {
  const length = response.getHeader('Content-Length');
  return length === undefined ? null : Number(length);
}
