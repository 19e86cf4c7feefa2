import { randomUUID } from 'node:crypto';
import { Controller, Logger, type INestApplication, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { defineEvent, type EventDefinition, type EventEnvelope } from '@vitrine/contracts';
import {
  currentCorrelationId,
  Health,
  OutageError,
  RuntimeConfig,
  RuntimeModule,
  withCorrelation,
} from '@vitrine/runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { Registry } from 'prom-client';
import {
  EventPublisher,
  EventsTransportStrategy,
  type ExhaustedEvent,
  HandleEvent,
  HandleExhausted,
  MessageTransport,
  MessagingConfig,
  MessagingModule,
  PublicationMetrics,
  queueOf,
  TerminalError,
} from '@vitrine/messaging';
import { createTransport } from './create-transport';
import { PostgresTransport } from './postgres-bus/postgres-transport';

interface Job {
  readonly n: number;
}
const SERVICE = 'test-service';
const jobAdded = defineEvent<Job>()('job.added', 1, { consumers: [SERVICE] });
const jobNoted = defineEvent<Job>()('job.noted', 1, { consumers: [] });
const QUEUE = queueOf(SERVICE, jobAdded).name;
const MAX_ATTEMPTS = 3;

/** The behaviour of the handlers of a test, and what they received. */
class Script {
  handle: (envelope: EventEnvelope<Job>) => Promise<void> = async () => undefined;
  exhausted: (event: ExhaustedEvent<Job>) => Promise<void> = async () => undefined;
  readonly handled: { envelope: EventEnvelope<Job>; correlation: string | undefined }[] = [];
  readonly given: ExhaustedEvent<Job>[] = [];
}

@Controller()
class JobsConsumer {
  constructor(private readonly script: Script) {}

  @HandleEvent(jobAdded, { prefetch: 2 })
  async add(envelope: EventEnvelope<Job>): Promise<void> {
    this.script.handled.push({ envelope, correlation: currentCorrelationId() });
    await this.script.handle(envelope);
  }

  @HandleExhausted(jobAdded)
  async giveUp(event: ExhaustedEvent<Job>): Promise<void> {
    this.script.given.push(event);
    await this.script.exhausted(event);
  }
}

@Controller()
class SecondConsumer {
  @HandleEvent(jobAdded)
  async add(): Promise<void> {}
}

@Controller()
class NotedConsumer {
  @HandleEvent(jobNoted)
  async note(): Promise<void> {}
}

describe('MessagingModule', () => {
  let database: TestDatabase;
  let apps: INestApplication[] = [];
  let script: Script;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    database = await createTestDatabase();
    script = new Script();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await database.drop();
  });

  const build = async (
    controllers: Type[] = [JobsConsumer],
    consumes: readonly EventDefinition<string, unknown>[] = [jobAdded],
  ): Promise<INestApplication> => {
    const module = await Test.createTestingModule({
      imports: [RuntimeModule, MessagingModule.forRoot({ service: SERVICE, consumes, createTransport })],
      controllers,
      providers: [{ provide: Script, useValue: script }],
    })
      .overrideProvider(RuntimeConfig)
      .useValue({ managementPort: 0, managementHost: '127.0.0.1' })
      .overrideProvider(MessagingConfig)
      .useValue({ url: database.url, retryDelaysMs: [30, 60], publishTimeoutMs: 5_000 })
      .compile();
    const app = module.createNestApplication({ logger: false });
    apps = [...apps, app];
    app.connectMicroservice({ strategy: app.get(EventsTransportStrategy) });
    await app.init();
    return app;
  };
  const started = async (...args: Parameters<typeof build>): Promise<INestApplication> => {
    const app = await build(...args);
    await app.startAllMicroservices();
    return app;
  };
  const publish = (app: INestApplication, n = 1): Promise<void> =>
    app.get(EventPublisher).publish(jobAdded, { n });
  const depth = (app: INestApplication): Promise<{ waiting: number; dead: number }> =>
    app.get(MessageTransport).depth(QUEUE);

  it('calls the handler of an event under the correlation id of its cause', async () => {
    const app = await started();

    await withCorrelation('cause-1', () => publish(app, 7));

    await eventually(() => expect(script.handled).toHaveLength(1));
    expect(script.handled[0]).toEqual({
      correlation: 'cause-1',
      envelope: {
        id: expect.any(String),
        type: 'job.added',
        version: 1,
        occurred_at: expect.any(String),
        correlation_id: 'cause-1',
        data: { n: 7 },
      },
    });
    await eventually(async () => expect(await depth(app)).toEqual({ waiting: 0, dead: 0 }));
  });

  it.each([
    ['the storage', () => new OutageError('The storage is unreachable')],
    ['the database', () => new Error('Connection terminated unexpectedly')],
  ])('keeps an event during an outage of %s, without counting attempts', async (_what, outage) => {
    const app = await started();
    script.handle = async () => {
      if (script.handled.length <= 2 * MAX_ATTEMPTS) throw outage();
    };

    await publish(app);

    await eventually(() => expect(script.handled).toHaveLength(2 * MAX_ATTEMPTS + 1));
    await eventually(async () => expect(await depth(app)).toEqual({ waiting: 0, dead: 0 }));
    expect(script.given).toEqual([]);
  });

  it('counts the attempts of an event that an outage has kept for a day', async () => {
    const app = await started();
    script.handle = async () => {
      throw new OutageError('The disk is full');
    };
    const occurred_at = new Date(Date.now() - 25 * 3_600_000).toISOString();
    const ids = { id: randomUUID(), correlation_id: randomUUID() };
    await app.get(MessageTransport).publish({ ...ids, type: 'job.added', version: 1, occurred_at, data: {} });
    await eventually(async () => expect((await depth(app)).dead).toBe(1));
    expect(script.given).toMatchObject([{ attempts: MAX_ATTEMPTS, reason: 'The disk is full' }]);
  });

  // Promise [webhooks]: A failing message is tried several times, then becomes a dead letter, which can be
  // replayed.
  it('retries a failing event, then calls the exhausted handler, then keeps a dead letter', async () => {
    const app = await started();
    script.handle = async () => {
      throw new Error(`Failure ${script.handled.length}`);
    };

    await publish(app);

    await eventually(async () => expect((await depth(app)).dead).toBe(1));
    expect(script.handled).toHaveLength(MAX_ATTEMPTS);
    expect(script.given).toEqual([
      {
        envelope: script.handled[0]?.envelope,
        attempts: MAX_ATTEMPTS,
        reason: `Failure ${MAX_ATTEMPTS}`,
        error: expect.objectContaining({ message: `Failure ${MAX_ATTEMPTS}` }),
      },
    ]);
    const [letter] = await app.get(MessageTransport).listDeadLetters(QUEUE);
    expect(letter).toMatchObject({ reason: `Failure ${MAX_ATTEMPTS}`, attempts: MAX_ATTEMPTS });
  });

  it('gives a replayed dead letter all its attempts again', async () => {
    const app = await started();
    script.handle = async () => {
      throw new TerminalError('Broken');
    };
    await publish(app);
    await eventually(async () => expect((await depth(app)).dead).toBe(1));
    script.handle = async () => undefined;
    const transport = app.get(MessageTransport);
    const [letter] = await transport.listDeadLetters(QUEUE);

    expect(await transport.replayDeadLetter(letter?.id ?? '')).toBe(true);

    await eventually(() => expect(script.handled).toHaveLength(2));
    await eventually(async () => expect(await depth(app)).toEqual({ waiting: 0, dead: 0 }));
  });

  it('does not retry an event after TerminalError', async () => {
    const app = await started();
    script.handle = async () => {
      throw new TerminalError('No such format');
    };

    await publish(app);

    await eventually(async () => expect((await depth(app)).dead).toBe(1));
    expect(script.handled).toHaveLength(1);
    expect(script.given).toMatchObject([{ attempts: 1, reason: 'No such format' }]);
  });

  it('keeps an event as long as its exhausted handler fails', async () => {
    const app = await started();
    script.handle = async () => {
      throw new TerminalError('Broken');
    };
    script.exhausted = async () => {
      if (script.given.length < 3) throw new Error('The bus is unreachable');
    };

    await publish(app);

    await eventually(async () => expect((await depth(app)).dead).toBe(1));
    expect(script.given).toHaveLength(3);
  });

  it('gives up an event whose attempts all killed their process, without calling the handler', async () => {
    const first = new PostgresTransport({ url: database.url, name: 'victim' });
    await first.declare([queueOf(SERVICE, jobAdded)]);
    await new EventPublisher(first, new PublicationMetrics(new Registry())).publish(jobAdded, { n: 1 });
    await first.close();
    for (let death = 1; death <= MAX_ATTEMPTS; death++) {
      const victim = new PostgresTransport({ url: database.url, name: 'victim' });
      await new Promise<void>((resolve) => {
        void victim.consume(QUEUE, 1, async () => {
          resolve();
          await new Promise(() => undefined);
        });
      });
      await victim.close();
    }

    const app = await started();

    await eventually(async () => expect((await depth(app)).dead).toBe(1));
    expect(script.handled).toHaveLength(0);
    expect(script.given).toMatchObject([
      {
        attempts: MAX_ATTEMPTS + 1,
        reason: `No answer after ${MAX_ATTEMPTS} attempts; the last one ended its process`,
      },
    ]);
  });

  it('does not call the handler for an unknown version of an event', async () => {
    const app = await started();

    await app.get(EventPublisher).publish({ ...jobAdded, version: 0 }, { n: 1 });

    await eventually(async () => expect((await depth(app)).dead).toBe(1));
    expect(script.handled).toHaveLength(0);
  });

  it('finishes running handlers and their publications before it stops', async () => {
    const app = await started();
    let finish: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (finish = resolve));
    script.handle = async ({ data }) => {
      await wait;
      if (data.n === 1) await publish(app, 2);
    };
    await publish(app, 1);
    await eventually(() => expect(script.handled).toHaveLength(1));

    const closing = app.close();
    finish();
    await closing;

    const observer = new PostgresTransport({ url: database.url, name: 'observer' });
    expect(await observer.depth(QUEUE)).toEqual({ waiting: 1, dead: 0 });
    await observer.close();
  });

  it('lets the configuration decide how many events are in progress', async () => {
    const app = await build();
    app.get(EventsTransportStrategy).withPrefetch(jobAdded, 3);
    let finish: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (finish = resolve));
    script.handle = () => wait;
    for (let n = 1; n <= 5; n++) await publish(app, n);

    await app.startAllMicroservices();

    await eventually(() => expect(script.handled).toHaveLength(3));
    finish();
    await eventually(() => expect(script.handled).toHaveLength(5));
  });

  it('drops an event without consumers if no queue takes it, and else delivers it', async () => {
    const app = await started();
    await app.get(EventPublisher).publish(jobNoted, { n: 1 });
    const transport = app.get(MessageTransport);
    await transport.declare([{ name: 'listener.job.noted', routingKey: jobNoted.type }]);

    await app.get(EventPublisher).publish(jobNoted, { n: 2 });

    expect(await transport.depth('listener.job.noted')).toEqual({ waiting: 1, dead: 0 });
  });

  it('declares the queues of every consumer in the catalogue before that consumer starts', async () => {
    const app = await build();

    await eventually(async () => {
      await app.get(MessageTransport).publish({
        id: 'a',
        type: 'media.variants_stored',
        version: 1,
        occurred_at: '',
        correlation_id: '',
        data: {},
      });
      expect(await app.get(MessageTransport).depth('moderation-service.media.variants_stored')).toMatchObject(
        {
          waiting: 1,
        },
      );
    });
  });

  it('declares missing queues again rather than lose an event with consumers', async () => {
    const app = await build();
    const lateEvent = defineEvent<Job>()('late.added', 1, { consumers: ['late-service'] });

    await app.get(EventPublisher).publish(lateEvent, { n: 1 });

    expect(await app.get(MessageTransport).depth('late-service.late.added')).toEqual({ waiting: 1, dead: 0 });
  });

  it('is ready while the bus answers, and counts deliveries', async () => {
    const app = await started();
    await publish(app);
    await eventually(() => expect(script.handled).toHaveLength(1));

    await eventually(async () =>
      expect(await app.get(Health).read()).toEqual({ ready: true, checks: { bus: 'up' } }),
    );
    await eventually(async () =>
      expect(await app.get(Registry).metrics()).toContain(
        `vitrine_bus_settled_total{queue="${QUEUE}",ending="acknowledged"} 1`,
      ),
    );
  });

  describe('does not start', () => {
    it.each<[string, Type[], readonly EventDefinition<string, unknown>[], string]>([
      ['without a handler', [], [jobAdded], 'job.added has no handler'],
      ['with two handlers', [JobsConsumer, SecondConsumer], [jobAdded], 'more than one handler'],
      [
        'with a handler too many',
        [JobsConsumer, NotedConsumer],
        [jobAdded],
        "job.noted has a handler but isn't",
      ],
      [
        'against the catalogue',
        [JobsConsumer, NotedConsumer],
        [jobAdded, jobNoted],
        "job.noted doesn't name test-service",
      ],
    ])('%s', async (_, controllers, consumes, message) => {
      const app = await build(controllers, consumes);

      await expect(app.startAllMicroservices()).rejects.toThrow(message);
    });
  });
});
