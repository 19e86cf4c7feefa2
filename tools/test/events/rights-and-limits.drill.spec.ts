import { randomUUID } from 'node:crypto';
import { events, mediaDeleted, mediaProcessed } from '@vitrine/contracts';
import { queuesOf, RabbitMqTransport } from '@vitrine/messaging';
import { describeWithRabbitMq, eventually, startRabbitMq, type TestRabbitMq } from '@vitrine/testing';
import { type ChannelModel, connect } from 'amqplib';
import { addConsumer, refusalOf } from './external-consumer';

const QUEUE = 'external.search';
const HISTORY = 'vitrine.events.history';
const INTERNAL = 'upload-service.media.deleted';
const ACCESS_REFUSED = 403;

describeWithRabbitMq('a consumer of another team', () => {
  let broker: TestRabbitMq;
  let vitrine: RabbitMqTransport;
  let url: string;
  let team: ChannelModel;

  beforeAll(async () => {
    // Instead of an hour, checked every second instead of every minute.
    broker = await startRabbitMq({ config: 'consumer_timeout = 3000' });
    await broker.control('eval', 'application:set_env(rabbit, channel_tick_interval, 1000).');
    vitrine = new RabbitMqTransport({ url: broker.url, name: 'vitrine', publishTimeoutMs: 30_000 });
    await vitrine.declare(queuesOf(Object.values(events)));
    url = await addConsumer(broker, 'search', '--events', `${mediaProcessed.type},${mediaDeleted.type}`);
  });
  beforeEach(async () => {
    team = await connect(url);
    team.on('error', () => undefined);
  });
  afterEach(() => team.close().catch(() => undefined));
  afterAll(async () => {
    await vitrine?.close();
    await broker?.remove();
  });

  const publish = (type: string, n = 0, text = ''): Promise<void> =>
    vitrine.publish({
      ...{ id: randomUUID(), type, version: 1, occurred_at: '', correlation_id: '' },
      data: { n, text },
    });
  const publishMany = async (count: number, text = ''): Promise<void> => {
    await Promise.all(Array.from({ length: count }, (_, n) => publish(mediaProcessed.type, n, text)));
  };
  const ready = async (queue = QUEUE): Promise<number> => {
    const listed = await broker.control('-q', 'list_queues', '--no-table-headers', 'name', 'messages_ready');
    return Number(new RegExp(`^${queue}\\t(\\d+)$`, 'm').exec(listed)?.[1]);
  };
  const limitTo = (definition: object): Promise<string> =>
    broker.control('set_policy', 'external', '^external\\.', JSON.stringify(definition), '--priority', '1');
  const purge = async (): Promise<void> => {
    const channel = await team.createChannel();
    await channel.purgeQueue(QUEUE);
    await channel.close();
  };

  // Promise [webhooks]: Another team's broker user may only read its own queue and the history.
  it('may read its queue and the history, and nothing else', async () => {
    const refusals = {
      'publish to the exchange': 'vitrine.events',
      'publish to a queue': '',
    };
    for (const [what, exchange] of Object.entries(refusals)) {
      const code = await refusalOf(team, (channel) => channel.publish(exchange, INTERNAL, Buffer.from('{}')));
      expect([what, code]).toEqual([what, ACCESS_REFUSED]);
    }
    const attempts: Readonly<Record<string, Parameters<typeof refusalOf>[1]>> = {
      'read a queue of Vitrine': (channel) => channel.consume(INTERNAL, () => undefined),
      'read dead letters': (channel) => channel.get(`${INTERNAL}.dead`),
      'empty a queue of Vitrine': (channel) => channel.purgeQueue(INTERNAL),
      'delete a queue of Vitrine': (channel) => channel.deleteQueue(INTERNAL),
      'delete its own queue': (channel) => channel.deleteQueue(QUEUE),
      'delete the exchange': (channel) => channel.deleteExchange('vitrine.events'),
      'declare a queue': (channel) => channel.assertQueue('external.search.more'),
      'declare a queue without a name': (channel) => channel.assertQueue('', { exclusive: true }),
      'declare a queue that refuses messages': (channel) =>
        channel.assertQueue('external.trap', {
          arguments: { 'x-max-length': 1, 'x-overflow': 'reject-publish' },
        }),
      'declare an exchange': (channel) => channel.assertExchange('external.exchange', 'fanout'),
      'bind its queue to an internal event': (channel) =>
        channel.bindQueue(QUEUE, 'vitrine.events', 'media.processing_requested'),
      'bind its queue to everything': (channel) => channel.bindQueue(QUEUE, 'vitrine.events', '#'),
      'unbind a queue of Vitrine': (channel) =>
        channel.unbindQueue(INTERNAL, 'vitrine.events', 'media.deleted'),
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      expect([what, await refusalOf(team, attempt)]).toEqual([what, ACCESS_REFUSED]);
    }
    expect(await refusalOf(team, (channel) => channel.consume(QUEUE, () => undefined))).toBeUndefined();
    // The broker closes the connection.
    const closed = new Promise((resolve) => team.once('error', resolve));
    (await team.createChannel()).purgeQueue(HISTORY).catch(() => undefined);
    expect(await closed).toMatchObject({
      message: expect.stringContaining('not supported by stream queues'),
    });
  });

  it('gets the events that it has chosen, and the history has all public ones', async () => {
    await purge();
    for (const type of ['media.processed', 'media.deleted', 'media.moderated', 'media.overran']) {
      await publish(type);
    }
    await eventually(async () => expect(await ready()).toBe(2));
    const read = new Set<string>();
    const channel = await team.createChannel();
    await channel.prefetch(10);
    await channel.consume(
      HISTORY,
      (message) => {
        read.add(message!.fields.routingKey);
        channel.ack(message!);
      },
      { arguments: { 'x-stream-offset': 'first' } },
    );
    await eventually(() =>
      expect(read).toEqual(new Set(['media.processed', 'media.deleted', 'media.moderated'])),
    );
    await channel.close();
  });

  // Promise [webhooks]: A queue of another team that is full or abandoned never stops events.
  it('loses its oldest messages when its queue is full, and every event is confirmed', async () => {
    await purge();
    await limitTo({ 'max-length': 50, 'max-length-bytes': 1_000_000, overflow: 'drop-head' });
    await publishMany(500);
    await eventually(async () => expect(await ready()).toBeLessThanOrEqual(50));
    await publish(mediaProcessed.type, 1_000);
    await limitTo({ 'max-length': 50, 'max-length-bytes': 20_000, overflow: 'drop-head' });
    await publishMany(20, 'x'.repeat(5_000));
    await eventually(async () => expect(await ready()).toBeLessThanOrEqual(4));
    expect((await vitrine.depth(INTERNAL)).waiting).toBeGreaterThan(0);
  });

  it('gives back what it holds without acknowledging, however large its prefetch', async () => {
    await purge();
    await limitTo({ 'max-length': 50, overflow: 'drop-head' });
    const connection = await connect(url);
    const channel = await connection.createChannel();
    const closed = new Promise<unknown>((resolve) => channel.once('error', resolve));
    let held = 0;
    await channel.prefetch(0);
    await channel.consume(QUEUE, () => void held++);
    await publishMany(300);
    await eventually(() => expect(held).toBeGreaterThanOrEqual(300));
    await publishMany(10);
    expect(await closed).toMatchObject({ message: expect.stringContaining('timeout') });
    await connection.close();
    await eventually(async () => expect(await ready()).toBeLessThanOrEqual(50));
    await publishMany(10);
  });

  it('has a limited number of connections and channels', async () => {
    const connections: ChannelModel[] = [];
    let refused = false;
    for (let count = 0; count < 10 && !refused; count++) {
      const one = await connect(url).catch(() => undefined);
      if (one) connections.push(one.on('error', () => undefined) as ChannelModel);
      else refused = true;
    }
    expect([refused, connections.length]).toEqual([true, 4]);
    await Promise.all(connections.map((one) => one.close().catch(() => undefined)));
    const channels = Array.from({ length: 10 }, () => team.createChannel());
    expect((await Promise.allSettled(channels)).some(({ status }) => status === 'rejected')).toBe(true);
  });
});
