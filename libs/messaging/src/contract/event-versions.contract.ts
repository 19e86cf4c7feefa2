import { randomUUID } from 'node:crypto';
import { defineEvent, type EventDefinition, type EventEnvelope } from '@vitrine/contracts';
import { eventually } from '@vitrine/testing';
import { Registry } from 'prom-client';
import type { MessageTransport } from '../transport/message-transport';
import { queueOf } from '../transport/queues';
import { ConsumerMetrics } from '../consumer/consumer-metrics';
import { DeliveryHandler } from '../consumer/delivery-handler';
import type { ExhaustedEvent } from '../consumer/handle-event';

interface JobOfRelease1 {
  readonly name: string;
}
interface JobOfRelease2 {
  readonly title: string;
  readonly priority: number;
}

const SERVICE = 'versions-service';
const DELAYS_MS = [20, 40];
const DAY_MS = 24 * 3_600_000;

/** How consumers of two releases share the queues of one broker. Each adapter must pass this suite. */
export function describeEventVersions(name: string, create: () => MessageTransport): void {
  describe(`Versions of an event over ${name}`, () => {
    let transports: MessageTransport[] = [];
    let ofRelease1: EventDefinition<string, JobOfRelease1>;
    let ofRelease2: EventDefinition<string, JobOfRelease2>;

    beforeEach(() => {
      const type = `job.${randomUUID().slice(0, 8)}`;
      ofRelease1 = defineEvent<JobOfRelease1>()(type, 1, { consumers: [SERVICE] });
      ofRelease2 = defineEvent<JobOfRelease2>()(type, 2, {
        consumers: [SERVICE],
        accepts: [{ version: 1, upgrade: (old: JobOfRelease1) => ({ title: old.name, priority: 0 }) }],
      });
    });
    afterEach(async () => {
      await Promise.all(transports.splice(0).map((transport) => transport.close()));
    });

    const connected = async (): Promise<MessageTransport> => {
      const transport = create();
      transports = [...transports, transport];
      await transport.connect();
      await transport.declare([queueOf(SERVICE, ofRelease1)]);
      return transport;
    };
    /** Starts a replica of the release with this definition of the event. */
    const replica = async (event: EventDefinition<string, unknown>) => {
      const handled: EventEnvelope[] = [];
      const exhausted: ExhaustedEvent<unknown>[] = [];
      const attempts: number[] = [];
      const transport = await connected();
      const handler = new DeliveryHandler(
        {
          event,
          handle: async (envelope) => void handled.push(envelope),
          exhausted: async (given) => void exhausted.push(given),
        },
        DELAYS_MS,
        new ConsumerMetrics(new Registry()),
      );
      const { name: queue } = queueOf(SERVICE, event);
      const subscription = await transport.consume(queue, 5, (delivery) => {
        attempts.push(delivery.attempt);
        return handler.take(delivery);
      });
      return { handled, exhausted, attempts, transport, queue, subscription };
    };
    const envelope = (version: number, data: unknown, ageMs = 0): EventEnvelope => ({
      id: randomUUID(),
      type: ofRelease1.type,
      version,
      occurred_at: new Date(Date.now() - ageMs).toISOString(),
      correlation_id: randomUUID(),
      data,
    });
    const publish = async (
      transport: MessageTransport,
      envelopes: readonly EventEnvelope[],
    ): Promise<void> => {
      for (const each of envelopes) await transport.publish(each);
    };

    it('are delivered, during a rollout, to a replica that can read them', async () => {
      const [old, young] = [await replica(ofRelease1), await replica(ofRelease2)];
      const firsts = Array.from({ length: 20 }, (_, n) => envelope(1, { name: `first ${n}` }));
      const seconds = Array.from({ length: 20 }, (_, n) =>
        envelope(2, { title: `second ${n}`, priority: n }),
      );

      await publish(
        old.transport,
        firsts.flatMap((first, n) => [first, seconds[n]!]),
      );

      await eventually(async () => {
        expect(old.handled.length + young.handled.length).toBe(40);
        expect(await old.transport.depth(old.queue)).toEqual({ waiting: 0, dead: 0 });
      });
      expect(old.handled.every(({ version }) => version === 1)).toBe(true);
      expect(young.handled.every(({ version }) => version === 2)).toBe(true);
      const ids = [...old.handled, ...young.handled].map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set([...firsts, ...seconds].map(({ id }) => id)));
      for (const { id, data } of young.handled) {
        const first = firsts.find((candidate) => candidate.id === id);
        if (first) expect(data).toEqual({ title: (first.data as JobOfRelease1).name, priority: 0 });
      }
    });

    it('wait, without counting attempts, until a replica can read them', async () => {
      const old = await replica(ofRelease1);
      const message = envelope(2, { title: 'early', priority: 1 });
      await publish(old.transport, [message]);
      // Twice as many deliveries as a message has attempts.
      await eventually(() => expect(old.attempts.length).toBeGreaterThan(2 * (DELAYS_MS.length + 1)));
      await old.subscription.drain();

      const young = await replica(ofRelease2);

      await eventually(() => expect(young.handled).toEqual([message]));
      expect([old.handled, old.exhausted]).toEqual([[], []]);
      expect(new Set(old.attempts)).toEqual(new Set([1]));
    });

    it('become dead letters after a day, and no handler is called', async () => {
      const old = await replica(ofRelease1);
      await publish(old.transport, [envelope(2, {}, DAY_MS + 1000), envelope(0, {})]);

      await eventually(async () => expect((await old.transport.depth(old.queue)).dead).toBe(2));

      const letters = await old.transport.listDeadLetters(old.queue);
      expect(letters.map(({ reason, attempts }) => ({ reason, attempts }))).toEqual(
        expect.arrayContaining([
          {
            reason: `Version 2 of ${ofRelease1.type} is unknown; this release knows 1`,
            attempts: DELAYS_MS.length + 1,
          },
          {
            reason: `Version 0 of ${ofRelease1.type} is unknown; this release knows 1`,
            attempts: DELAYS_MS.length + 1,
          },
        ]),
      );
      expect([old.handled, old.exhausted]).toEqual([[], []]);
    });

    it('may have additional fields, which consumers ignore', async () => {
      const old = await replica(ofRelease1);
      const grown = { ...envelope(1, { name: 'a', since: 'later' }), hint: 'of a later release' };

      await publish(old.transport, [grown]);

      await eventually(() => expect(old.handled).toEqual([grown]));
    });
  });
}
