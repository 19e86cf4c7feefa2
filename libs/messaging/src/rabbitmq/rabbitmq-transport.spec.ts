import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { describeWithRabbitMq, eventually, startRabbitMq, type TestRabbitMq } from '@vitrine/testing';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { describeEventVersions } from '../contract/event-versions.contract';
import { describeTransport, type TransportHarness } from '../contract/transport.contract';
import { BusUnavailableError } from '../transport/transport-errors';
import { type Link, RabbitMqLink } from './rabbitmq-link';
import { RabbitMqSubscription } from './rabbitmq-subscription';
import { RabbitMqTransport } from './rabbitmq-transport';
import { DELIVERY_LIMIT } from './topology';

describeWithRabbitMq('RabbitMQ', () => {
  let broker: TestRabbitMq;
  beforeAll(async () => {
    broker = await startRabbitMq();
  });
  afterAll(() => broker.remove());

  describeTransport('RabbitMqTransport', async (): Promise<TransportHarness> => {
    return {
      url: broker.url,
      childProgram: join(__dirname, 'rabbitmq-consumer.child.ts'),
      create: (options) => new RabbitMqTransport({ url: broker.url, name: 'contract', ...options }),
      createUnreachable: (options) =>
        new RabbitMqTransport({ url: 'amqp://guest:guest@127.0.0.1:1', name: 'contract', ...options }),
      outage: async () => {
        await broker.stop();
        return () => broker.start();
      },
      stop: async () => undefined,
    };
  });

  describeEventVersions('RabbitMQ', () => new RabbitMqTransport({ url: broker.url, name: 'versions' }));

  describe('RabbitMqTransport', () => {
    let transport: RabbitMqTransport;
    let otherProgram: ChannelModel;
    let channel: Channel;
    let queue: string;
    let routingKey: string;

    beforeAll(() => Logger.overrideLogger(false));
    beforeEach(async () => {
      routingKey = `test.${randomUUID().slice(0, 8)}`;
      queue = `service.${routingKey}`;
      transport = new RabbitMqTransport({ url: broker.url, name: 'spec' });
      await transport.declare([{ name: queue, routingKey }]);
      otherProgram = await connect(broker.url);
      channel = await otherProgram.createChannel();
    });
    afterEach(async () => {
      await otherProgram.close();
      await transport.close();
    });

    const publish = (id: string): Promise<void> =>
      transport.publish({
        id,
        type: routingKey,
        version: 1,
        occurred_at: new Date().toISOString(),
        correlation_id: randomUUID(),
        data: {},
      });

    describe('a subscription that is opened more than once', () => {
      const links: RabbitMqLink[] = [];
      const connected = async (): Promise<Link> => {
        const link = new RabbitMqLink({
          url: broker.url,
          name: 'spec',
          setup: async () => undefined,
          onReady: () => undefined,
        });
        links.push(link);
        link.open();
        return link.ready();
      };
      const subscription = (live: () => Link): RabbitMqSubscription =>
        new RabbitMqSubscription(queue, 1, (delivery) => delivery.acknowledge(), {
          exchange: 'vitrine.events',
          live,
          redeclare: async () => undefined,
        });
      const consumers = async (): Promise<number> => (await channel.checkQueue(queue)).consumerCount;
      afterEach(() => Promise.all(links.splice(0).map((link) => link.close())));

      it('consumes once, and not at all once drained', async () => {
        const link = await connected();
        const twice = subscription(() => link);

        await Promise.all([twice.open(link), twice.open(link)]);

        expect(await consumers()).toBe(1);
        await twice.drain();
        expect(await consumers()).toBe(0);
      });

      it('consumes over the new connection if the old one is replaced meanwhile', async () => {
        const [old, fresh] = [await connected(), await connected()];
        let live = old;
        const moved = subscription(() => live);

        const opening = moved.open(old);
        await Promise.resolve();
        live = fresh;
        await Promise.all([opening, moved.open(fresh)]);

        expect(await consumers()).toBe(1);
        await old.model.close();
        expect(await consumers()).toBe(1);
        await moved.drain();
      });
    });

    it('keeps a message that is not an event unchanged among the dead letters, and continues', async () => {
      const bytes = Buffer.from([0xff, 0x00, 0x7b]);
      channel.publish('vitrine.events', routingKey, bytes);
      const seen: string[] = [];
      await transport.consume(queue, 1, async (delivery) => {
        seen.push(delivery.envelope.id);
        await delivery.acknowledge();
      });
      await publish('good');

      await eventually(() => expect(seen).toEqual(['good']));
      await eventually(async () => expect((await transport.depth(queue)).dead).toBe(1));
      expect(await transport.listDeadLetters(queue)).toMatchObject([
        { reason: 'Not an event envelope', envelope: { type: 'malformed' } },
      ]);
      const message = await channel.get(`${queue}.dead`);
      expect(message && message.content).toEqual(bytes);
    });

    it('lets the broker dead-letter a message whose attempts its consumers can’t count', async () => {
      await publish('poison');
      for (let delivery = 0; delivery <= DELIVERY_LIMIT; delivery++) {
        await eventually(async () => {
          const message = await channel.get(queue);
          if (!message) throw new Error('Not there yet');
          channel.nack(message, false, true);
        });
      }

      await eventually(async () => expect(await transport.depth(queue)).toEqual({ waiting: 0, dead: 1 }));
      const [letter] = await transport.listDeadLetters(queue);
      expect(letter).toMatchObject({
        envelope: { id: 'poison' },
        reason: 'Given up by the broker: delivery_limit',
      });
      expect(await transport.replayDeadLetter(letter?.id ?? '')).toBe(true);
      await eventually(async () => expect(await transport.depth(queue)).toEqual({ waiting: 1, dead: 0 }));
    });

    it('rejects while the broker is silent under an alarm, and works again after it', async () => {
      const shortTimeout = new RabbitMqTransport({
        url: broker.url,
        name: 'shortTimeout',
        publishTimeoutMs: 500,
      });
      const queues = [{ name: queue, routingKey }];
      await shortTimeout.declare(queues);
      try {
        await broker.control('set_disk_free_limit', '1000000GB');
        const envelope = {
          id: 'unconfirmed',
          type: routingKey,
          version: 1,
          occurred_at: new Date().toISOString(),
          correlation_id: randomUUID(),
          data: {},
        };
        // Under an alarm the broker stops reading from connections that publish.
        await eventually(() => expect(shortTimeout.publish(envelope)).rejects.toThrow(BusUnavailableError));

        expect(shortTimeout.healthy()).toBe(true);
        await expect(shortTimeout.depth(queue)).rejects.toThrow(BusUnavailableError);
        await expect(shortTimeout.listDeadLetters()).rejects.toThrow(BusUnavailableError);
        await expect(shortTimeout.replayDeadLetter(`${queue}/any`)).rejects.toThrow(BusUnavailableError);
        await expect(shortTimeout.findUndeclared(queues)).rejects.toThrow(BusUnavailableError);
        await expect(shortTimeout.probe()).rejects.toThrow(BusUnavailableError);
        const fresh = new RabbitMqTransport({ url: broker.url, name: 'fresh', publishTimeoutMs: 500 });
        await expect(fresh.probe()).rejects.toThrow(BusUnavailableError);
        await fresh.close();
      } finally {
        await broker.control('set_disk_free_limit', '50MB');
      }
      await eventually(() => shortTimeout.depth(queue));
      await eventually(() => shortTimeout.probe());
      await shortTimeout.close();
    });

    it('declares a deleted queue again, and consumes it', async () => {
      const seen: string[] = [];
      await transport.consume(queue, 1, async (delivery) => {
        seen.push(delivery.envelope.id);
        await delivery.acknowledge();
      });

      await channel.deleteQueue(queue);

      await eventually(() => publish('after'));
      await eventually(() => expect(seen).toContain('after'));
    });
  });
});
