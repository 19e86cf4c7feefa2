import type { EventEnvelope } from '@vitrine/contracts';
import type { Message } from 'amqplib';
import { isEnvelope } from '../transport/envelope';

/** What Vitrine adds to a message on its way, besides the envelope, which never changes. */
export const HEADER = {
  /** Attempts that began before this publication. */
  attempts: 'x-vitrine-tries',
  reason: 'x-vitrine-reason',
  diedAt: 'x-vitrine-died-at',
  /** Identifies a publication when the broker returns it. */
  publication: 'x-vitrine-publication',
} as const;

/** Returns the envelope in a message; undefined if the message has none. */
export function envelopeOf(message: Message): EventEnvelope | undefined {
  try {
    const value: unknown = JSON.parse(message.content.toString('utf8'));
    return isEnvelope(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an envelope for a message that another program sent; its bytes are kept unchanged. */
export function malformed(message: { readonly content: Buffer }): EventEnvelope {
  return {
    id: '',
    type: 'malformed',
    version: 0,
    occurred_at: '',
    correlation_id: '',
    data: message.content.toString('utf8'),
  };
}

/** Returns the number of attempts, including this one: those before its last publication, and each redelivery since. */
export function attemptOf(message: Message): number {
  const redeliveries = Math.max(
    numberIn(message, 'x-delivery-count'),
    // RabbitMQ 4 counts deliveries that were requeued without a failure only here.
    numberIn(message, 'x-acquired-count'),
    message.fields.redelivered ? 1 : 0,
  );
  return numberIn(message, HEADER.attempts) + redeliveries + 1;
}

export function numberIn(message: Message, name: string): number {
  const value: unknown = message.properties.headers?.[name];
  return typeof value === 'number' && value > 0 ? value : 0;
}

export function textIn(message: Message, name: string): string | undefined {
  const value: unknown = message.properties.headers?.[name];
  return typeof value === 'string' ? value : undefined;
}
