import { VERSION } from '../metrics/version';
import type { TracingConfig } from './tracing.config';
import { tracing } from './tracing-state';

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
