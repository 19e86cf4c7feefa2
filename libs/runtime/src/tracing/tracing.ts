import { type Tracer, context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { VERSION } from '../metrics/build-info';
import type { TracingConfig } from './tracing.config';

/** Whether this process traces: while `tracer` is undefined, no code makes spans or reads or sends trace headers. */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined };

/**
 * Starts tracing if an endpoint is configured; without one, OpenTelemetry's SDK isn't even loaded. Returns a function
 * that stops tracing and sends the remaining spans.
 */
export async function startTracing(service: string, config: TracingConfig): Promise<() => Promise<void>> {
  if (config.endpoint === '') return () => Promise.resolve();
  const { startOpenTelemetry } = await import('./open-telemetry.js');
  const { tracer, stop } = startOpenTelemetry(service, VERSION, config);
  tracing.tracer = tracer;
  return async () => {
    tracing.tracer = undefined;
    await stop();
  };
}

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
