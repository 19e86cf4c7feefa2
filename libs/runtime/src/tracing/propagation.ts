import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { tracing } from './tracing-state';

/** Returns the current span as a W3C `traceparent`, to be sent with a message; undefined if there is none. */
export function currentTraceparent(): string | undefined {
  if (!tracing.tracer) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Runs `work` in the trace of a received `traceparent`, or in none if that is undefined, instead of the current trace. */
export function underTraceparent<Result>(traceparent: string | undefined, work: () => Result): Result {
  if (!tracing.tracer) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent }), work);
}

/** Returns the ids of the current span, for log lines; empty if there is none. */
export function currentTraceIds(): { trace_id?: string; span_id?: string } {
  const span = tracing.tracer && trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}
