import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { tracing } from './tracing-state';

/** The span in force as a W3C `traceparent`, for whoever carries the trace on; undefined where there is none. */
export function currentTraceparent(): string | undefined {
  if (!tracing.tracer) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Runs `work` as part of the trace that a `traceparent` from elsewhere names, or of none, whatever is in force here. */
export function underTraceparent<Result>(traceparent: string | undefined, work: () => Result): Result {
  if (!tracing.tracer) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent }), work);
}

/** What a log line says of the span in force; empty where there is none. */
export function currentTraceIds(): { trace_id?: string; span_id?: string } {
  const span = tracing.tracer && trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
