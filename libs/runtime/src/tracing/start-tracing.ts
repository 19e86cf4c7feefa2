import { VERSION } from '../metrics/version';
import type { TracingConfig } from './tracing.config';
import { tracing } from './tracing-state';

/**
 * Begins to trace where an endpoint is set, and gives what ends it and sends the rest. Without one nothing of
 * OpenTelemetry's SDK is even loaded.
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
