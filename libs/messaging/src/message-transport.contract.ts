import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { EventEnvelope } from '@vitrine/contracts';
import { eventually, forkTypeScript } from '@vitrine/testing';
import type { DeadLetter, Delivery, MessageTransport, QueueDefinition } from './message-transport';
import type { ChildMessage, ChildOrder, TransportAddress } from './message-transport.child';
import { BusUnavailableError, DeliveryLostError, UnroutableMessageError } from './transport-errors';

/** One broker, as the contract needs it. */
export interface TransportHarness {
  /** Where a transport finds it, in words that another process understands too. */
  readonly address: TransportAddress;
  /** A new transport on it; the contract closes it. */
  create(options?: { publishTimeoutMs?: number }): MessageTransport;
  /** A transport whose broker never answers. */
  createUnreachable(options: { publishTimeoutMs: number }): MessageTransport;
  /** Cuts all connections and refuses new ones until the function that it resolves with is called. */
  outage(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** The contract of `MessageTransport`, to be kept by each adapter over its real broker. */
export function describeTransport(name: string, makeHarness: () => Promise<TransportHarness>): void {
  describe(`${name} as a MessageTransport`, () => {
    let harness: TransportHarness;
    let transports: MessageTransport[] = [];
    let children: ChildProcess[] = [];

    beforeAll(async () => {
      // Each outage and each killed consumer is warned of; here they are the subject.
      Logger.overrideLogger(false);
      harness = await makeHarness();
    }, 120_000);
    afterAll(async () => {
      await harness.stop();
    }, 60_000);
    afterEach(async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
      await Promise.all(transports.splice(0).map((transport) => transport.close()));
    }, 60_000);

    const track = (transport: MessageTransport): MessageTransport => {
      transports = [...transports, transport];
      return transport;
    };
    const connected = async (options?: { publishTimeoutMs?: number }): Promise<MessageTransport> => {
      const transport = track(harness.create(options));
      await transport.connect();
      return transport;
    };
    /** Queues of fresh names, all bound to one fresh routing key. */
    const declared = async (transport: MessageTransport, count = 1): Promise<QueueDefinition[]> => {
      const routingKey = `test.${randomUUID().slice(0, 8)}`;
      const queues = Array.from({ length: count }, (_, index) => ({
        name: `service-${index}.${routingKey}`,
        routingKey,
      }));
      await transport.declare(queues);
      return queues;
    };
    const one = async (transport: MessageTransport): Promise<QueueDefinition> => {
      const [queue] = await declared(transport);
      if (!queue) throw new Error('No queue was declared');
      return queue;
    };
    const child = (order: ChildOrder): ChildProcess => {
      const started = forkTypeScript(join(__dirname, 'message-transport.child.ts'), [
        JSON.stringify({ address: harness.address, order }),
      ]);
      children = [...children, started];
      return started;
    };
    const heard = (from: ChildProcess, kind: ChildMessage['kind']): Promise<ChildMessage> =>
      new Promise((resolve, reject) => {
        from.on('message', (message: ChildMessage) => {
          if (message.kind === kind) resolve(message);
        });
        from.on('exit', (code, signal) => reject(new Error(`The child ended: ${code ?? signal}`)));
      });
    const gone = (from: ChildProcess): Promise<void> =>
      new Promise((resolve) => {
        if (from.exitCode !== null || from.signalCode !== null) resolve();
        else from.on('exit', () => resolve());
      });

    describe('publishing', () => {
      it('delivers what was published, unchanged', async () => {
        const transport = await connected();
        const queue = await one(transport);
        const envelope = envelopeFor(queue, {
          text: 'Grüße \u0000 \u{1F600}',
          list: [1, null, { deep: true }],
        });

        await transport.publish(envelope);

        const [delivery] = await collect(transport, queue, 1);
        expect(delivery).toMatchObject({ queue: queue.name, attempt: 1 });
        expect(delivery?.envelope).toEqual(envelope);
      });

      it('has the message in the queue once publish resolves, with nobody consuming', async () => {
        const transport = await connected();
        const queue = await one(transport);

        await transport.publish(envelopeFor(queue));

        expect(await transport.depth(queue.name)).toEqual({ waiting: 1, dead: 0 });
      });

      it('gives a copy to the queue of each service', async () => {
        const transport = await connected();
        const queues = await declared(transport, 3);
        const envelope = envelopeFor(queues[0]);

        await transport.publish(envelope);

        for (const queue of queues) {
          const [delivery] = await collect(transport, queue, 1);
          expect(delivery?.envelope.id).toBe(envelope.id);
        }
      });

      it('reports a message that no queue takes', async () => {
        const transport = await connected();

        await expect(
          transport.publish(envelopeFor({ name: 'none', routingKey: `nobody.${randomUUID()}` })),
        ).rejects.toThrow(UnroutableMessageError);
      });

      it('carries 256 KB', async () => {
        const transport = await connected();
        const queue = await one(transport);
        const text = 'x'.repeat(256 * 1024);

        await transport.publish(envelopeFor(queue, { text }));

        const [delivery] = await collect(transport, queue, 1);
        expect((delivery?.envelope.data as { text: string }).text).toBe(text);
      });

      it('rejects after the publish deadline where the broker is out of reach', async () => {
        const transport = track(harness.createUnreachable({ publishTimeoutMs: 400 }));

        await expect(transport.publish(envelopeFor({ name: 'q', routingKey: 'r' }))).rejects.toThrow(
          BusUnavailableError,
        );
        expect(transport.healthy()).toBe(false);
      });
    });

    describe('consuming', () => {
      it('shares a queue out over competing consumers, each message once', async () => {
        const publisher = await connected();
        const queue = await one(publisher);
        const taken: string[][] = [[], [], []];
        for (const own of taken) {
          const transport = await connected();
          await transport.consume(queue.name, 5, async (delivery) => {
            own.push(delivery.envelope.id);
            await sleep(1);
            await delivery.acknowledge();
          });
        }

        const envelopes = await publishMany(publisher, queue, 150);

        await eventually(() => expect(taken.flat()).toHaveLength(150));
        expect(new Set(taken.flat())).toEqual(new Set(envelopes.map(({ id }) => id)));
        for (const own of taken) expect(own.length).toBeGreaterThan(0);
        await eventually(async () =>
          expect(await publisher.depth(queue.name)).toEqual({ waiting: 0, dead: 0 }),
        );
      });

      it('keeps a message until it is acknowledged', async () => {
        const first = await connected();
        const queue = await one(first);
        await first.publish(envelopeFor(queue));
        await collect(first, queue, 1, { settle: false });

        await first.close();

        const second = await connected();
        const [again] = await collect(second, queue, 1);
        expect(again?.attempt).toBe(2);
        await eventually(async () => expect((await second.depth(queue.name)).waiting).toBe(0));
      });

      it('has at most prefetch deliveries under way', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await publishMany(transport, queue, 20);
        const open: Delivery[] = [];
        let most = 0;
        let done = 0;
        const finish = new Set<() => void>();

        await transport.consume(queue.name, 3, async (delivery) => {
          open.push(delivery);
          most = Math.max(most, open.length);
          await new Promise<void>((resolve) => finish.add(resolve));
          open.splice(open.indexOf(delivery), 1);
          await delivery.acknowledge();
          done++;
        });

        await eventually(() => expect(open).toHaveLength(3));
        await eventually(() => {
          finish.forEach((resolve) => resolve());
          finish.clear();
          expect(done).toBe(20);
        });
        expect(most).toBe(3);
      });

      it('drains 1,000 waiting messages', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await publishMany(transport, queue, 1_000);
        const seen = new Set<string>();

        const subscription = await transport.consume(queue.name, 50, async (delivery) => {
          seen.add(delivery.envelope.id);
          await delivery.acknowledge();
        });

        await eventually(() => expect(seen.size).toBe(1_000), 20_000);
        await subscription.drain();
      });

      it('gives back what a handler leaves unsettled or throws on', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await transport.publish(envelopeFor(queue));
        let calls = 0;

        await transport.consume(queue.name, 1, async (delivery) => {
          calls++;
          if (calls === 1) throw new Error('A handler must not do this');
          if (calls === 3) await delivery.acknowledge();
        });

        await eventually(() => expect(calls).toBe(3));
        await eventually(async () => expect((await transport.depth(queue.name)).waiting).toBe(0));
      });
    });

    describe('retrying', () => {
      it('delivers again after the delay, and counts', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await transport.publish(envelopeFor(queue));
        const attempts: { attempt: number; at: number }[] = [];
        const delays = [150, 400, 900];

        await transport.consume(queue.name, 1, async (delivery) => {
          attempts.push({ attempt: delivery.attempt, at: Date.now() });
          const delay = delays[delivery.attempt - 1];
          if (delay === undefined) await delivery.acknowledge();
          else await delivery.retryLater(delay);
        });

        await eventually(() => expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]));
        const waits = attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
        waits.forEach((wait, index) => {
          expect(wait).toBeGreaterThanOrEqual((delays[index] ?? 0) - 5);
          expect(wait).toBeLessThan((delays[index] ?? 0) + 1_500);
        });
      });

      it('delivers again after a postponement, which doesn’t count', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await transport.publish(envelopeFor(queue));
        const attempts: number[] = [];

        await transport.consume(queue.name, 1, async (delivery) => {
          attempts.push(delivery.attempt);
          if (attempts.length === 2) await delivery.retryLater(50);
          else if (attempts.length < 5) await delivery.postpone(50);
          else await delivery.acknowledge();
        });

        await eventually(() => expect(attempts).toEqual([1, 1, 2, 2, 2]));
        await eventually(async () =>
          expect(await transport.depth(queue.name)).toEqual({ waiting: 0, dead: 0 }),
        );
      });

      it('lets other messages pass one that waits', async () => {
        const transport = await connected();
        const queue = await one(transport);
        const slow = envelopeFor(queue);
        const quick = envelopeFor(queue);
        await transport.publish(slow);
        await transport.publish(quick);
        const order: string[] = [];

        await transport.consume(queue.name, 1, async (delivery) => {
          if (delivery.envelope.id === slow.id && delivery.attempt === 1) {
            await delivery.retryLater(700);
            return;
          }
          order.push(delivery.envelope.id);
          await delivery.acknowledge();
        });

        await eventually(() => expect(order).toEqual([quick.id, slow.id]));
      });

      it('keeps a retry that waits when its consumer ends', async () => {
        const first = await connected();
        const queue = await one(first);
        await first.publish(envelopeFor(queue));
        const [delivery] = await collect(first, queue, 1, { settle: false });
        const begun = Date.now();
        await delivery?.retryLater(600);
        await first.close();

        const second = await connected();
        const [again] = await collect(second, queue, 1);

        expect(again?.attempt).toBe(2);
        expect(Date.now() - begun).toBeGreaterThanOrEqual(595);
        expect(await second.depth(queue.name)).toEqual({ waiting: 0, dead: 0 });
      });

      it('gives a released message back without counting', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await transport.publish(envelopeFor(queue));
        const attempts: number[] = [];

        await transport.consume(queue.name, 1, async (delivery) => {
          attempts.push(delivery.attempt);
          await (attempts.length < 3 ? delivery.release() : delivery.acknowledge());
        });

        await eventually(() => expect(attempts).toEqual([1, 1, 1]));
      });
    });

    describe('dead letters', () => {
      const bury = async (
        transport: MessageTransport,
        queue: QueueDefinition,
        count: number,
      ): Promise<EventEnvelope[]> => {
        const envelopes = await publishMany(transport, queue, count);
        const subscription = await transport.consume(queue.name, 10, async (delivery) => {
          if (delivery.attempt === 1) await delivery.retryLater(50);
          else await delivery.deadLetter(`No use: ${delivery.envelope.id}`);
        });
        await eventually(async () => expect((await transport.depth(queue.name)).dead).toBe(count));
        await subscription.drain();
        return envelopes;
      };

      it('are listed with reason, tries and time, as often as one likes', async () => {
        const transport = await connected();
        const queue = await one(transport);
        const [envelope] = await bury(transport, queue, 1);

        for (let look = 0; look < 30; look++) {
          const letters = await transport.listDeadLetters(queue.name);
          expect(letters).toEqual([
            {
              id: expect.any(String),
              queue: queue.name,
              envelope,
              reason: `No use: ${envelope?.id}`,
              attempts: 2,
              died_at: expect.any(String),
            },
          ]);
          expect(Math.abs(Date.now() - Date.parse(letters[0]?.died_at ?? ''))).toBeLessThan(60_000);
        }
        expect(await transport.depth(queue.name)).toEqual({ waiting: 0, dead: 1 });
      });

      it('are listed over all declared queues', async () => {
        const transport = await connected();
        const queue = await one(transport);
        const [envelope] = await bury(transport, queue, 1);

        const letters = await transport.listDeadLetters();

        expect(letters.map((letter) => letter.envelope.id)).toContain(envelope?.id);
      });

      it('are replayed one by one, as if they had never been tried', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await bury(transport, queue, 5);
        const letters = await transport.listDeadLetters(queue.name);
        const chosen = letters[2] as DeadLetter;

        expect(await transport.replayDeadLetter(chosen.id)).toBe(true);
        expect(await transport.replayDeadLetter(chosen.id)).toBe(false);

        const [delivery] = await collect(transport, queue, 1);
        expect(delivery?.attempt).toBe(1);
        expect(delivery?.envelope).toEqual(chosen.envelope);
        const rest = await transport.listDeadLetters(queue.name);
        expect(new Set(rest.map(({ id }) => id))).toEqual(
          new Set(letters.filter(({ id }) => id !== chosen.id).map(({ id }) => id)),
        );
      });

      it('says no to an id that it does not know', async () => {
        const transport = await connected();
        const queue = await one(transport);

        expect(await transport.replayDeadLetter(`${queue.name}/${randomUUID()}`)).toBe(false);
        expect(await transport.replayDeadLetter('nonsense')).toBe(false);
      });
    });

    describe('when a consumer is killed', () => {
      it('delivers its messages to another, the lost try counted', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await publishMany(transport, queue, 3);
        const victim = child({ kind: 'hold', queue: queue.name, prefetch: 3 });
        await heard(victim, 'holding');

        victim.kill('SIGKILL');
        await gone(victim);

        const deliveries = await collect(transport, queue, 3);
        expect(deliveries.map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
      });

      it('leaves messages with a consumer that is slow but alive', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await publishMany(transport, queue, 2);
        const slow = child({ kind: 'hold', queue: queue.name, prefetch: 1 });
        await heard(slow, 'holding');
        const taken: string[] = [];

        await transport.consume(queue.name, 5, async (delivery) => {
          taken.push(delivery.envelope.id);
          await delivery.acknowledge();
        });

        await eventually(() => expect(taken).toHaveLength(1));
        // The dead one's message tells that whatever looks for dead consumers has looked since.
        const dies = await one(transport);
        await transport.publish(envelopeFor(dies));
        await gone(child({ kind: 'die', queue: dies.name, prefetch: 1 }));
        const [again] = await collect(transport, dies, 1);
        expect(again?.attempt).toBe(2);
        expect(taken).toHaveLength(1);
      });

      it('counts each try of a message that kills its consumer, so that it can be given up', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await transport.publish(envelopeFor(queue));
        for (let death = 1; death <= 3; death++) {
          await gone(child({ kind: 'die', queue: queue.name, prefetch: 1 }));
        }

        const attempt = await new Promise<number>((resolve) => {
          void transport.consume(queue.name, 1, async (delivery) => {
            resolve(delivery.attempt);
            await delivery.deadLetter('It kills its worker');
          });
        });

        expect(attempt).toBe(4);
        await eventually(async () =>
          expect(await transport.depth(queue.name)).toEqual({ waiting: 0, dead: 1 }),
        );
        expect((await transport.listDeadLetters(queue.name))[0]?.attempts).toBe(4);
      }, 60_000);
    });

    describe('when the broker goes and comes back', () => {
      it('publishes wait for it, and consumers go on by themselves', async () => {
        const transport = await connected({ publishTimeoutMs: 60_000 });
        const queue = await one(transport);
        const seen = new Set<string>();
        await transport.consume(queue.name, 5, async (delivery) => {
          seen.add(delivery.envelope.id);
          await delivery.acknowledge();
        });
        const before = envelopeFor(queue);
        await transport.publish(before);
        await eventually(() => expect(seen).toContain(before.id));

        const resume = await harness.outage();
        await eventually(() => expect(transport.healthy()).toBe(false));
        const during = envelopeFor(queue);
        const publishing = transport.publish(during);
        await resume();
        await publishing;

        await eventually(() => expect(seen).toContain(during.id), 20_000);
        expect(transport.healthy()).toBe(true);
        const after = envelopeFor(queue);
        await transport.publish(after);
        await eventually(() => expect(seen).toContain(after.id));
      }, 120_000);

      it('keeps waiting messages, retries and dead letters, and delivers again what was under way', async () => {
        const transport = await connected({ publishTimeoutMs: 60_000 });
        const [waiting, dying, underWay] = [await one(transport), await one(transport), await one(transport)];
        const [waits, dies, works] = [envelopeFor(waiting), envelopeFor(dying), envelopeFor(underWay)];
        for (const envelope of [waits, dies, works]) await transport.publish(envelope);
        await transport.consume(dying.name, 1, (delivery) => delivery.deadLetter('Dead before the outage'));
        await eventually(async () => expect((await transport.depth(dying.name)).dead).toBe(1));
        const attempts: number[] = [];
        const settled: Promise<unknown>[] = [];
        let finish: () => void = () => undefined;
        const wait = new Promise<void>((resolve) => (finish = resolve));
        await transport.consume(underWay.name, 1, async (delivery) => {
          attempts.push(delivery.attempt);
          if (delivery.attempt === 1) await wait;
          const settling = delivery.acknowledge();
          settled.push(settling);
          await settling;
        });
        await eventually(() => expect(attempts).toEqual([1]));

        const resume = await harness.outage();
        await eventually(() => expect(transport.healthy()).toBe(false));
        finish();
        await resume();

        // Whether a try counts that the broker broke off is the transport's own affair.
        await eventually(() => expect(attempts.length).toBeGreaterThan(1), 20_000);
        await expect(settled[0]).rejects.toThrow(DeliveryLostError);
        const [kept] = await collect(transport, waiting, 1);
        expect(kept?.envelope.id).toBe(waits.id);
        const letters = await transport.listDeadLetters(dying.name);
        expect(letters.map(({ envelope }) => envelope.id)).toEqual([dies.id]);
      }, 120_000);
    });

    describe('starting and stopping', () => {
      it('drains: finishes what is under way, leaves the rest for others', async () => {
        const transport = await connected();
        const queue = await one(transport);
        await publishMany(transport, queue, 10);
        const finished: string[] = [];
        let finish: () => void = () => undefined;
        const wait = new Promise<void>((resolve) => (finish = resolve));
        let begun = 0;
        const subscription = await transport.consume(queue.name, 2, async (delivery) => {
          begun++;
          await wait;
          await delivery.acknowledge();
          finished.push(delivery.envelope.id);
        });
        await eventually(() => expect(begun).toBe(2));

        let drained = false;
        const draining = subscription.drain().then(() => (drained = true));
        // It has let go of what it will not take: others may have it before the drain ends.
        const others = await collect(await connected(), queue, 8);
        expect(drained).toBe(false);
        finish();
        await draining;

        expect(finished).toHaveLength(2);
        expect(others.map(({ attempt }) => attempt)).toEqual(Array(8).fill(1));
        expect(new Set([...finished, ...others.map(({ envelope }) => envelope.id)]).size).toBe(10);
      });

      it('lets many processes declare the same queues at once', async () => {
        const routingKey = `test.${randomUUID().slice(0, 8)}`;
        const queues = ['a', 'b', 'c'].map((service) => ({ name: `${service}.${routingKey}`, routingKey }));
        const declarers = [1, 2].map(() => child({ kind: 'declare', queues }));
        const here = await connected();

        await Promise.all([
          here.declare([...queues, ...queues]),
          ...declarers.map((process) => heard(process, 'declared')),
        ]);

        await here.publish(envelopeFor(queues[0]));
        for (const queue of queues) expect((await here.depth(queue.name)).waiting).toBe(1);
      }, 60_000);

      it('is probed without a trace, and tells which queues nobody has declared', async () => {
        const transport = await connected();
        const queue = await one(transport);

        await transport.probe();

        const missing = { name: `nobody.${randomUUID()}`, routingKey: 'none' };
        expect(await transport.findUndeclared([queue, missing])).toEqual([missing.name]);
        expect(await transport.depth(queue.name)).toEqual({ waiting: 0, dead: 0 });
        await expect(track(harness.createUnreachable({ publishTimeoutMs: 200 })).probe()).rejects.toThrow(
          BusUnavailableError,
        );
      });

      it('connect rejects where close comes first', async () => {
        const transport = track(harness.createUnreachable({ publishTimeoutMs: 400 }));
        const connecting = transport.connect();
        const rejected = expect(connecting).rejects.toThrow(BusUnavailableError);

        await transport.close();

        await rejected;
      });
    });
  });
}

function envelopeFor(queue: QueueDefinition | undefined, data: unknown = { n: 1 }): EventEnvelope {
  return {
    id: randomUUID(),
    type: queue?.routingKey ?? 'none',
    version: 1,
    occurred_at: new Date().toISOString(),
    correlation_id: randomUUID(),
    data,
  };
}

async function publishMany(
  transport: MessageTransport,
  queue: QueueDefinition,
  count: number,
): Promise<EventEnvelope[]> {
  const envelopes = Array.from({ length: count }, () => envelopeFor(queue));
  await Promise.all(envelopes.map((envelope) => transport.publish(envelope)));
  return envelopes;
}

/** Takes `count` deliveries. They are acknowledged, and the subscription drained, unless they are to stay open. */
async function collect(
  transport: MessageTransport,
  queue: QueueDefinition,
  count: number,
  { settle = true }: { settle?: boolean } = {},
): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  const subscription = await transport.consume(queue.name, count, async (delivery) => {
    deliveries.push(delivery);
    if (settle) await delivery.acknowledge();
    else await new Promise(() => undefined);
  });
  await eventually(() => expect(deliveries).toHaveLength(count));
  if (settle) await subscription.drain();
  return deliveries;
}
