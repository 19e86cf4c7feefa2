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
import type { TracingConfig } from './tracing.config';
import { waitAtMost } from '../wait-at-most';

/** How long a span waits for company; what a process that is killed holds back by then is lost. */
const EXPORT_INTERVAL_MS = 2_000;
/** One attempt to send, its repetitions included; then the batch is lost. */
const EXPORT_TIMEOUT_MS = 10_000;
/** At the end of the process: what a collector hasn't taken by then is lost. */
const FLUSH_TIMEOUT_MS = 3_000;
/** A collector that is away is told of once in this time. */
const COMPLAINT_INTERVAL_MS = 300_000;
/** Spans longer in words than this hold something that doesn't belong there. */
const ATTRIBUTE_LENGTH = 256;

export interface OpenTelemetry {
  readonly tracer: Tracer;
  /** Sends what is left, for at most three seconds. */
  readonly stop: () => Promise<void>;
}

/**
 * Loads OpenTelemetry and sets it up to send spans in batches. It is built of the SDK's parts, since its ready-made
 * exporter would read variables of its own from the environment. A collector that is slow or away costs spans, never
 * more: of 2,048 in memory the surplus is dropped.
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
  setGlobalErrorHandler(complainRarely());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    tracer: provider.getTracer('vitrine', version),
    stop: () =>
      waitAtMost(
        FLUSH_TIMEOUT_MS,
        provider.shutdown().catch(() => undefined),
      ),
  };
}

/** Says that spans are lost, once for a whole outage. Nothing of what a collector answered is repeated. */
function complainRarely(): (error: unknown) => void {
  const logger = new Logger('Tracing');
  let silentUntil = 0;
  return (error) => {
    if (Date.now() < silentUntil) return;
    silentUntil = Date.now() + COMPLAINT_INTERVAL_MS;
    const { code, name } = error as { code?: unknown; name?: unknown };
    logger.warn(`Spans can't be delivered and are dropped: ${String(code ?? name ?? 'no reason given')}`);
  };
}
