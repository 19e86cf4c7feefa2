import { runConsumerChild } from '../contract/consumer-child';
import { RabbitMqTransport } from './rabbitmq-transport';

void runConsumerChild((url) => new RabbitMqTransport({ url, name: 'child' }));
