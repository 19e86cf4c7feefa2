import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { tracing } from './tracing-state';

export interface SpanOptions {
  /** What part the work plays; `internal` unless said. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** What is known beforehand: low in number, free of secrets, names as in OpenTelemetry's conventions. */
  readonly attributes?: Attributes;
}

export const SPAN_KIND = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** A trace begins where work comes in. What a sweep does with the database now and again would be but noise. */
const BEGINS_TRACES: ReadonlySet<SpanOptions['kind']> = new Set(['server', 'producer', 'consumer']);

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs `work` as a span of the trace in force. Outside of any, servers, producers and consumers begin one, and other
 * work only runs, as all does without tracing. What `work` throws marks the span as failed, by the error's name alone,
 * and is thrown on.
 */
export function inSpan<Result>(
  name: string,
  { kind = 'internal', attributes }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const { tracer } = tracing;
  if (!tracer || (!BEGINS_TRACES.has(kind) && !trace.getActiveSpan())) return work(NO_SPAN);
  return tracer.startActiveSpan(name, { kind: SPAN_KIND[kind], attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error instanceof Error ? error.name : 'Error');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed. `reason` is the name of an error, or another word of few: never its message. */
export function failSpan(span: Span, reason: string): void {
  span.setAttribute('error.type', reason);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
