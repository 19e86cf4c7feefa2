import { randomUUID } from 'node:crypto';
import { mediaDeleted } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import type { MessageTransport } from '@vitrine/messaging';
import { type DomainContext, eventually, startDomain } from '@vitrine/testing';
import { PostgresTransport } from '../postgres-bus/postgres-transport';
import { BusRequests } from './bus-requests';
import { BusReportModule } from './bus-report.module';
import { BusReportRepository } from './bus-report.repository';
import { BusReportSweep } from './bus-report.sweep';

const QUEUE = 'upload-service.media.deleted';

describe('BusReportSweep', () => {
  let domain: DomainContext;
  let transport: MessageTransport;
  let requests: BusRequests;
  let sweep: BusReportSweep;

  beforeAll(async () => {
    domain = await startDomain([BusReportModule]);
    requests = domain.get(BusRequests);
    transport = new PostgresTransport({ url: domain.database.url, name: 'test' });
    await transport.connect();
    await transport.declare([{ name: QUEUE, routingKey: mediaDeleted.type }]);
    sweep = new BusReportSweep(transport, domain.get(BusReportRepository), 'upload-service');
  });
  afterAll(async () => {
    await transport.close();
    await domain.stop();
  });
  beforeEach(() => domain.dataSource.query('truncate bus.messages, bus.dead_letters, bus_replays'));

  /** Publishes messages and gives each up. */
  const makeDeadLetters = async (count: number): Promise<void> => {
    const subscription = await transport.consume(QUEUE, 10, (delivery) => delivery.deadLetter('It broke.'));
    for (let i = 0; i < count; i++) {
      await transport.publish({
        id: randomUUID(),
        type: mediaDeleted.type,
        version: 1,
        occurred_at: new Date().toISOString(),
        correlation_id: 'test',
        data: { secret: 'of a user' },
      });
    }
    await eventually(async () => expect(await transport.depth(QUEUE)).toEqual({ waiting: 0, dead: count }));
    await subscription.drain();
  };
  const request = (letter: string | null, queue = QUEUE): Promise<void> =>
    domain.get(Database).transaction((tx) => requests.requestReplay(tx, queue, letter));
  const report = async () => {
    await sweep.runOnce(() => true);
    return (await requests.findQueues()).find(({ queue }) => queue === QUEUE);
  };

  it('reports the queues of its service and of media-processor, with dead letters but not their contents', async () => {
    await makeDeadLetters(2);
    expect(await report()).toMatchObject({ waiting: 0, dead: 2 });
    const queues = await requests.findQueues();
    expect(new Set(queues.map(({ queue }) => queue.split('.')[0]))).toEqual(
      new Set(['upload-service', 'media-processor']),
    );
    const { letters } = (await report())!;
    expect(letters).toMatchObject([{ type: 'media.deleted', reason: 'It broke.' }, {}]);
    expect(JSON.stringify(letters)).not.toContain('of a user');
  });

  // Promise [administration]: The process that consumes a queue replays its dead letters.
  it('replays one letter, then all, when somebody has asked for it', async () => {
    await makeDeadLetters(3);
    const [first] = (await report())!.letters;
    await request(first!.id);
    await request(first!.id);
    expect(await report()).toMatchObject({ waiting: 1, dead: 2 });
    expect((await report())!.letters).toHaveLength(2);
    await request(null);
    expect(await report()).toMatchObject({ waiting: 3, dead: 0, letters: [] });
    expect(await domain.dataSource.query('select 1 from bus_replays')).toEqual([]);
  });

  it('ignores letters that are gone, and leaves the queues of other services to them', async () => {
    await request('999999');
    await request(null, 'moderation-service.media.variants_stored');
    expect(await sweep.runOnce(() => true)).toEqual({ replayed: 0 });
    expect(await domain.dataSource.query('select queue from bus_replays')).toEqual([
      { queue: 'moderation-service.media.variants_stored' },
    ]);
  });
});
