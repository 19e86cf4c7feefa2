import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { withCorrelation } from '../logging/correlation';
import { descriptionOf } from './described-request';
import { type EndedRequest, HttpMetrics, isOurFailure } from './http-metrics';
import { identifyRequest } from './request-id';
import { RequestSpan, type TrustsTrace } from './request-span';
import { whenOver } from './when-over';

/** Methods that have a meaning here; whatever else Node's parser lets through is counted together. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** As Express knows it once a route has matched. */
interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: unknown };
}

/**
 * The first that sees each request of a public host, and the last: gives it its id, under which all that it sets off
 * is logged and published; counts and times it; writes its line in the log; and begins its trace.
 */
@Injectable()
export class HttpObserver {
  private readonly logger = new Logger('Access');

  constructor(private readonly metrics: HttpMetrics) {}

  /** Makes Express middleware, to be put before any other. `trusts`: whose traces go on here; nobody's unless said. */
  middleware(trusts: TrustsTrace = () => false) {
    return (request: IncomingMessage, response: ServerResponse, next: () => void): void =>
      this.observe(request, response, next, trusts);
  }

  private observe(
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
    trusts: TrustsTrace,
  ): void {
    const begun = performance.now();
    const id = identifyRequest(request, response);
    const method = METHODS.has(request.method ?? '') ? request.method! : 'OTHER';
    const span = RequestSpan.begin(request, method, id, trusts);
    this.metrics.begin();
    whenOver(request, response, () => {
      const ended: EndedRequest = {
        method,
        route: routeOf(request),
        status: response.writableFinished ? String(response.statusCode) : 'aborted',
        seconds: (performance.now() - begun) / 1000,
      };
      this.metrics.end(ended);
      const tell = (): void => withCorrelation(id, () => this.tell(request, response, ended));
      if (!span) return tell();
      span.within(tell);
      span.end(ended);
    });
    withCorrelation(id, () => (span ? span.within(next) : next()));
  }

  /**
   * Reads are nine in ten, and metrics tell enough of them: they are there for debugging alone. What changes
   * something, and what failed on our side, has its line, so that it can be found by the id that a client quotes.
   */
  private tell(request: IncomingMessage, response: ServerResponse, ended: EndedRequest): void {
    const { method, route, status, seconds } = ended;
    const { caller = 'anyone' } = descriptionOf(request);
    const ms = Math.round(seconds * 1000);
    const line = `${method} ${route} ${status} in ${ms} ms`;
    const facts = { method, route, status, ms, bytes: bytesOf(response), caller };
    if (READS.has(method) && !isOurFailure(status)) this.logger.debug(line, facts);
    else this.logger.log(line, facts);
  }
}

/** The pattern that matched, never the path. */
function routeOf(request: RoutedRequest): string {
  const path = request.route?.path;
  return typeof path === 'string' ? path : (descriptionOf(request).route ?? 'none');
}

/** Of the body that was sent; null where it came in pieces and nobody counted. */
function bytesOf(response: ServerResponse): number | null {
  const length = response.getHeader('Content-Length');
  return length === undefined ? null : Number(length);
}
