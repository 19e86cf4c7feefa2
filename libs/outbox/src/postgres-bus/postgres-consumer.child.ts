import { runConsumerChild } from '@vitrine/messaging/contract/consumer-child';
import { PostgresTransport } from './postgres-transport';

void runConsumerChild((url) => new PostgresTransport({ url, name: 'child' }));
