import {
  isRabbitMqUrl,
  type MessageTransport,
  RabbitMqTransport,
  type TransportFactory,
} from '@vitrine/messaging';
import { ConfigurationError } from '@vitrine/runtime';

/**
 * The transport that `BUS_URL` asks for. PostgreSQL serves the development stack; its transport is loaded only then, because
 * the images of this process have no database client. TypeORM, which would take 10 MB, is not loaded. Throws
 * `ConfigurationError` if `BUS_URL` needs a missing client.
 */
export const createTransport: TransportFactory = async (address, name): Promise<MessageTransport> => {
  if (isRabbitMqUrl(address.url)) return new RabbitMqTransport({ ...address, name });
  const outbox = await import('@vitrine/outbox/transport').catch((error: unknown) => {
    if (!isMissingModule(error)) throw error;
    throw new ConfigurationError([
      'BUS_URL names a PostgreSQL, but this installation has no client for it; for example amqp://user:password@host',
    ]);
  });
  return outbox.createTransport(address, name);
};

function isMissingModule(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND');
}
