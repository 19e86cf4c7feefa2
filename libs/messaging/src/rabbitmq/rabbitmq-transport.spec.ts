import { describeWithRabbitMq, startRabbitMq } from '@vitrine/testing';
import { describeTransport, type TransportHarness } from '../message-transport.contract';
import { RabbitMqTransport } from './rabbitmq-transport';

describeWithRabbitMq('RabbitMQ', () => {
  describeTransport('RabbitMqTransport', async (): Promise<TransportHarness> => {
    const broker = await startRabbitMq();
    return {
      address: { kind: 'rabbitmq', url: broker.url },
      create: (options) => new RabbitMqTransport({ url: broker.url, name: 'contract', ...options }),
      createUnreachable: (options) =>
        new RabbitMqTransport({ url: 'amqp://guest:guest@127.0.0.1:1', name: 'contract', ...options }),
      outage: async () => {
        await broker.stop();
        return () => broker.start();
      },
      stop: () => broker.remove(),
    };
  });
});
