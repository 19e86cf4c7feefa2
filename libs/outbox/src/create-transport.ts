import {
  isRabbitMqUrl,
  type MessageTransport,
  type MessagingConfig,
  RabbitMqTransport,
} from '@vitrine/messaging';
import { PostgresTransport } from './postgres-bus/postgres-transport';

/** The transport that `BUS_URL` asks for, not connected yet; `name` is the name that the broker shows for this process. */
export function createTransport(
  { url, publishTimeoutMs }: Pick<MessagingConfig, 'url' | 'publishTimeoutMs'>,
  name: string,
): MessageTransport {
  const Transport = isRabbitMqUrl(url) ? RabbitMqTransport : PostgresTransport;
  return new Transport({ url, name, publishTimeoutMs });
}
