import type { Tracer } from '@opentelemetry/api';

/** Whether this process traces. While `tracer` is undefined nobody makes, reads or carries anything of a trace. */
export const tracing: { tracer: Tracer | undefined } = { tracer: undefined };
