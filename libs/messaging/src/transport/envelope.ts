import { randomUUID } from 'node:crypto';
import type { EventDefinition, EventEnvelope } from '@vitrine/contracts';
import { correlationId, currentTraceparent } from '@vitrine/runtime';

/** Wraps the data of an event for the bus, with a new id, the current correlation id and the current trace. */
export function buildEnvelope<Data>(event: EventDefinition<string, Data>, data: Data): EventEnvelope<Data> {
  const traceparent = currentTraceparent();
  return {
    id: randomUUID(),
    type: event.type,
    version: event.version,
    occurred_at: new Date().toISOString(),
    correlation_id: correlationId(),
    ...(traceparent !== undefined && { traceparent }),
    data,
  };
}

/** Whether a received value has the shape of an envelope; its data isn't checked. */
export function isEnvelope(value: unknown): value is EventEnvelope {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, version, occurred_at, correlation_id } = value as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    typeof type === 'string' &&
    Number.isInteger(version) &&
    typeof occurred_at === 'string' &&
    typeof correlation_id === 'string' &&
    'data' in value
  );
}
