import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { tracing } from './tracing';

export interface SpanOptions {
  /** The role of the work; `internal` by default. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Attributes that are known in advance: few values, no secrets, named as in OpenTelemetry's conventions. */
  readonly attributes?: Attributes;
}

const SPAN_KIND = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Only incoming work and publications begin a trace. Traces of the database queries of sweeps would be noise. */
const BEGINS_TRACES: ReadonlySet<SpanOptions['kind']> = new Set(['server', 'producer', 'consumer']);

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/**
 * Runs `work` as a span of the current trace. Without a trace, servers, producers and consumers begin one; other work
 * gets no span, and neither does any work while tracing is off. An error of `work` marks the span as failed, with the
 * error's name only, and is thrown again.
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

/** Marks a span as failed. `reason` is the name of an error or one of few words, never a message. */
export function failSpan(span: Span, reason: string): void {
  span.setAttribute('error.type', reason);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
