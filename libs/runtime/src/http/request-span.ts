import type { IncomingMessage } from 'node:http';
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import { failSpan } from '../tracing/in-span';
import { tracing } from '../tracing/tracing';
import { type EndedRequest, isOurFailure } from './http-metrics';

/** Whether the `traceparent` of a request may be used. */
export type TrustsTrace = (request: IncomingMessage) => boolean;

/**
 * The server span of one request. It begins a trace, unless the request brings a `traceparent` and is trusted: a
 * `traceparent` decides whether the trace is recorded, so clients must not choose it.
 */
export class RequestSpan {
  private constructor(private readonly span: Span) {}

  /** Begins the span; undefined if tracing is off. */
  static begin(
    request: IncomingMessage,
    method: string,
    requestId: string,
    trusts: TrustsTrace,
  ): RequestSpan | undefined {
    const { tracer } = tracing;
    if (!tracer) return undefined;
    const { traceparent } = request.headers;
    const attributes = { 'http.request.method': method, 'vitrine.correlation_id': requestId };
    const parent =
      traceparent !== undefined && trusts(request)
        ? propagation.extract(ROOT_CONTEXT, { traceparent })
        : ROOT_CONTEXT;
    return new RequestSpan(tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent));
  }

  within(work: () => void): void {
    context.with(trace.setSpan(ROOT_CONTEXT, this.span), work);
  }

  end({ method, route, status }: EndedRequest): void {
    if (route !== 'none') {
      this.span.updateName(`${method} ${route}`);
      this.span.setAttribute('http.route', route);
    }
    if (status !== 'aborted') this.span.setAttribute('http.response.status_code', Number(status));
    if (isOurFailure(status)) failSpan(this.span, status);
    this.span.end();
  }
}
