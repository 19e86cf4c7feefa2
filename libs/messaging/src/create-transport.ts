import { createRequire } from 'node:module';
import { ConfigurationError } from '@vitrine/runtime';
import type { MessageTransport } from './message-transport';
import type { MessagingConfig } from './messaging.config';
import { RabbitMqTransport } from './rabbitmq/rabbitmq-transport';

/** The transport that `BUS_URL` asks for, not connected yet; `name` is what the broker shows of this process. */
export function createTransport(
  { url, publishTimeoutMs }: Pick<MessagingConfig, 'url' | 'publishTimeoutMs'>,
  name: string,
): MessageTransport {
  if (/^amqps?:/i.test(url)) return new RabbitMqTransport({ url, name, publishTimeoutMs });
  const { PostgresTransport } = loadPostgresTransport();
  return new PostgresTransport({ url, name, publishTimeoutMs });
}

/** Loaded where it is asked for: a process on RabbitMQ without a database is installed without a database client. */
function loadPostgresTransport(): typeof import('./postgres/postgres-transport') {
  try {
    return createRequire(__filename)('./postgres/postgres-transport');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    throw new ConfigurationError([
      'BUS_URL names a PostgreSQL, for which this installation has no client; for example amqp://user:password@host',
    ]);
  }
}
