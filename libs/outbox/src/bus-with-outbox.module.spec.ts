import { type INestApplication, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { mediaOverran } from '@vitrine/contracts';
import { DatabaseConfig, DatabaseModule, Database } from '@vitrine/database';
import { MessagingConfig, queuesOf } from '@vitrine/messaging';
import { loadConfig, RuntimeConfig, RuntimeModule } from '@vitrine/runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { BusWithOutboxModule } from './bus-with-outbox.module';
import { Outbox } from './outbox/outbox';
import { OutboxModule } from './outbox/outbox.module';
import { PostgresTransport } from './postgres-bus/postgres-transport';

const QUEUE = 'upload-service.media.overran';

describe('BusWithOutboxModule', () => {
  let database: TestDatabase;
  let app: INestApplication;
  let observer: PostgresTransport;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    database = await createTestDatabase();
    observer = new PostgresTransport({ url: database.url, name: 'observer' });
    const module = await Test.createTestingModule({
      imports: [
        RuntimeModule,
        DatabaseModule.forService('test'),
        BusWithOutboxModule.forRoot({ service: 'test', consumes: [] }),
        OutboxModule,
      ],
    })
      .overrideProvider(RuntimeConfig)
      .useValue({ managementPort: 0, managementHost: '127.0.0.1' })
      .overrideProvider(DatabaseConfig)
      .useValue(loadConfig(DatabaseConfig, { DATABASE_URL: database.url }))
      .overrideProvider(MessagingConfig)
      .useValue(loadConfig(MessagingConfig, { BUS_URL: database.url }))
      .compile();
    app = module.createNestApplication({ logger: false });
    await app.init();
  });
  afterEach(async () => {
    await app.close();
    await observer.close();
    await database.drop();
  });

  const add = (): Promise<void> =>
    app
      .get(Database)
      .transaction((tx) =>
        app.get(Outbox).add(tx, mediaOverran, { media_id: 1, slug: 'aB3dE5f', took_ms: 1 }),
      );

  it('publishes what a transaction added', async () => {
    await add();

    await eventually(async () => expect((await observer.depth(QUEUE)).waiting).toBe(1));
  });

  it('publishes the last events before it disconnects from the bus', async () => {
    await eventually(async () => expect(await observer.findUndeclared(queuesOf([mediaOverran]))).toEqual([]));
    await add();
    await app.close();

    expect((await observer.depth(QUEUE)).waiting).toBe(1);
  });
});
