import type { Channel } from 'amqplib';
import type { QueueDefinition } from '../transport/message-transport';

export const deadQueue = (queue: string): string => `${queue}.dead`;

/** Name of the exchange and the queue in which messages of all queues wait for `delayMs` milliseconds. */
const retryQueue = (exchange: string, delayMs: number): string => `${exchange}.retry.${delayMs}`;

/**
 * The broker itself dead-letters a message that has returned to its queue this often: a backstop for consumers that die
 * before they count its attempts, far above the number of attempts that they allow.
 */
export const DELIVERY_LIMIT = 50;

/** Effectively none: the default of RabbitMQ 4 is 20, and each listing of dead letters counts as one. */
const NO_DELIVERY_LIMIT = 1_000_000_000;

/** No message is lost between two queues: the source keeps it until the target has confirmed it. */
const LOSSLESS = { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' };
const QUORUM = { 'x-queue-type': 'quorum' };

/** Declares the exchange of events. */
export async function assertExchange(channel: Channel, exchange: string): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
}

/** Declares the queue of a service, its binding and its dead-letter queue. */
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
 * Declares where messages wait for their next attempt. They are published to it with the name of their queue as routing key,
 * so that the default exchange puts them into that queue when the delay is over. Returns its name.
 */
export async function assertRetryQueue(channel: Channel, exchange: string, delayMs: number): Promise<string> {
  const name = retryQueue(exchange, delayMs);
  await channel.assertExchange(name, 'fanout', { durable: true });
  await channel.assertQueue(name, {
    durable: true,
    arguments: { ...QUORUM, ...LOSSLESS, 'x-message-ttl': delayMs, 'x-dead-letter-exchange': '' },
  });
  await channel.bindQueue(name, name, '');
  return name;
}
