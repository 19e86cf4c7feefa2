import type { Tracer } from '@opentelemetry/api';

/** Whether this process traces: while `tracer` is undefined, no code makes spans or reads or sends trace headers. */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined };
