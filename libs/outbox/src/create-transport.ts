import { type BusAddress, isRabbitMqUrl, type MessageTransport, RabbitMqTransport } from '@vitrine/messaging';
import { PostgresTransport } from './postgres-bus/postgres-transport';

/** The transport that `BUS_URL` asks for, not connected yet; `name` is the name that the broker shows for this process. */
export function createTransport(address: BusAddress, name: string): MessageTransport {
  const Transport = isRabbitMqUrl(address.url) ? RabbitMqTransport : PostgresTransport;
  return new Transport({ ...address, name });
}
