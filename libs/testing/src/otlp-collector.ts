import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** One span as a collector receives it. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first span of a trace. */
  readonly parentSpanId: string | undefined;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Receives traces (OTLP over HTTP, JSON) and keeps them for a test to read. */
export interface OtlpCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All bodies as they were received. */
  received(): string;
  /** Sets the status of all further answers. While it isn't 200, nothing is kept. */
  answer(status: number, body: string): void;
  close(): Promise<void>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const FAILED = 2;

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The parts of an export request that we look at (opentelemetry/proto/trace/v1/trace.proto, in JSON). */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly status?: { readonly code?: number };
        readonly attributes: readonly KeyValue[];
      }[];
    }[];
  }[];
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  let status = 200;
  let body = '{}';

  const take = async (request: IncomingMessage): Promise<void> => {
    const sent = await buffer(request);
    if (status !== 200) return;
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString();
    received.push(text);
    spans.push(...spansIn(JSON.parse(text) as ExportRequest));
  };
  const server: Server = createServer((request, response) => {
    void take(request).then(() =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    received: () => received.join('\n'),
    answer: (newStatus, newBody) => {
      status = newStatus;
      body = newBody;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function spansIn({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        service,
        name: span.name,
        kind: KINDS[span.kind] ?? 'internal',
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        failed: span.status?.code === FAILED,
        attributes: attributesOf(span.attributes),
      })),
    );
  });
}

const attributesOf = (pairs: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
