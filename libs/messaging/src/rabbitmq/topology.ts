import type { Channel } from 'amqplib';
import type { QueueDefinition } from '../message-transport';

export const deadQueue = (queue: string): string => `${queue}.dead`;

/** Name of the exchange, and of the queue behind it, in which messages of all queues wait `delayMs` milliseconds. */
export const retryStop = (exchange: string, delayMs: number): string => `${exchange}.retry.${delayMs}`;

/**
 * A message that has come back to its queue this often is dead-lettered by the broker itself: a backstop for
 * consumers that die before they count its tries, far above the tries that they allow.
 */
export const DELIVERY_LIMIT = 50;

/** In effect none: RabbitMQ 4 sets 20 where a queue says nothing, and each listing of dead letters counts as one. */
const NO_DELIVERY_LIMIT = 1_000_000_000;

/** Loses nothing between two queues: the source keeps a message until the target has confirmed it. */
const LOSSLESS = { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' };
const QUORUM = { 'x-queue-type': 'quorum' };

/** The exchange of events. */
export async function assertExchange(channel: Channel, exchange: string): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
}

/** A consumer's queue, its binding and its dead letters. */
export async function assertQueue(
  channel: Channel,
  exchange: string,
  { name, routingKey }: QueueDefinition,
): Promise<void> {
  await channel.assertQueue(deadQueue(name), {
    durable: true,
    arguments: { ...QUORUM, 'x-delivery-limit': NO_DELIVERY_LIMIT },
  });
  await channel.assertQueue(name, {
    durable: true,
    arguments: {
      ...QUORUM,
      ...LOSSLESS,
      'x-delivery-limit': DELIVERY_LIMIT,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadQueue(name),
    },
  });
  await channel.bindQueue(name, exchange, routingKey);
}

/**
 * Where messages wait for their next try. They are published to it with their queue's name as routing key, which is
 * where the default exchange puts them once their time is up.
 */
export async function assertRetryStop(channel: Channel, exchange: string, delayMs: number): Promise<string> {
  const name = retryStop(exchange, delayMs);
  await channel.assertExchange(name, 'fanout', { durable: true });
  await channel.assertQueue(name, {
    durable: true,
    arguments: { ...QUORUM, ...LOSSLESS, 'x-message-ttl': delayMs, 'x-dead-letter-exchange': '' },
  });
  await channel.bindQueue(name, name, '');
  return name;
}
