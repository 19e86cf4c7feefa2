import type { MessageTransport } from './message-transport';
import type { MessagingConfig } from './messaging.config';
import { PostgresTransport } from './postgres/postgres-transport';
import { RabbitMqTransport } from './rabbitmq/rabbitmq-transport';

/** The transport that `BUS_URL` asks for, not connected yet; `name` is what the broker shows of this process. */
export function createTransport(
  { url, publishTimeoutMs }: Pick<MessagingConfig, 'url' | 'publishTimeoutMs'>,
  name: string,
): MessageTransport {
  return /^amqps?:/i.test(url)
    ? new RabbitMqTransport({ url, name, publishTimeoutMs })
    : new PostgresTransport({ url, name, publishTimeoutMs });
}
