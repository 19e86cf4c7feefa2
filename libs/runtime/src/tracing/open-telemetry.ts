import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { context, propagation, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  createOtlpHttpExportDelegate,
  httpAgentFactoryFromOptions,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { waitAtMost } from '@vitrine/concurrency';
import type { TracingConfig } from './tracing.config';

/** How long a span may wait for the next batch. If the process is killed, waiting spans are lost. */
const EXPORT_INTERVAL_MS = 2_000;
/** The time to send a batch, with its retries; after that the batch is lost. */
const EXPORT_TIMEOUT_MS = 10_000;
/** The time to send the last spans when the process stops; after that they are lost. */
const FLUSH_TIMEOUT_MS = 3_000;
/** Export failures are logged at most once in this time. */
const WARNING_INTERVAL_MS = 300_000;
/** Longer attribute values are cut, because no useful one is so long. */
const ATTRIBUTE_LENGTH = 256;

export interface OpenTelemetry {
  readonly tracer: Tracer;
  /** Sends the remaining spans, for at most three seconds. */
  readonly stop: () => Promise<void>;
}

/**
 * Loads OpenTelemetry and configures it to send spans in batches. It uses parts of the SDK, because the SDK's own
 * exporter would read further variables from the environment. If the collector is slow or unreachable, only spans are
 * lost: at most 2,048 stay in memory.
 */
export function startOpenTelemetry(
  service: string,
  version: string,
  { endpoint, headers, sampleRatio }: TracingConfig,
): OpenTelemetry {
  const exporter = new OTLPExporterBase<ReadableSpan[]>(
    createOtlpHttpExportDelegate(
      {
        url: `${endpoint}/v1/traces`,
        headers: () => Promise.resolve({ ...headers, 'Content-Type': 'application/json' }),
        timeoutMillis: EXPORT_TIMEOUT_MS,
        concurrencyLimit: 4,
        compression: 'gzip',
        agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
      },
      JsonTraceSerializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': service,
        'service.namespace': 'vitrine',
        'service.version': version,
        'service.instance.id': `${hostname()}:${process.pid}`,
      }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
      }),
    ],
  });
  setGlobalErrorHandler(warnRarely());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    tracer: provider.getTracer('vitrine', version),
    stop: async () => {
      await waitAtMost(
        FLUSH_TIMEOUT_MS,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}

/** Returns an error handler that logs lost spans, but not at each failure and without the collector's answer. */
function warnRarely(): (error: unknown) => void {
  const logger = new Logger('Tracing');
  let silentUntil = 0;
  return (error) => {
    if (Date.now() < silentUntil) return;
    silentUntil = Date.now() + WARNING_INTERVAL_MS;
    const { code, name } = error as { code?: unknown; name?: unknown };
    logger.warn(`Dropping spans, because their export failed: ${String(code ?? name ?? 'no reason given')}`);
  };
}
