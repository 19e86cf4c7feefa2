import { eventually } from '@vitrine/testing';
import { DeliveryLostError } from '../transport/transport-errors';
import { collect, envelopeFor, publishMany, type TransportBench } from './transport-bench';

export function describeOutages({ connected, one, child, heard, gone, harness }: TransportBench): void {
  describe('when a consumer is killed', () => {
    it('delivers its messages to another, and counts the lost attempt', async () => {
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

    it('does not take messages from a consumer that is slow but alive', async () => {
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
      // The message of the dead consumer shows that the search for dead consumers has run since then.
      const dies = await one(transport);
      await transport.publish(envelopeFor(dies));
      await gone(child({ kind: 'die', queue: dies.name, prefetch: 1 }));
      const [again] = await collect(transport, dies, 1);
      expect(again?.attempt).toBe(2);
      expect(taken).toHaveLength(1);
    });

    it('counts each attempt of a message that kills its consumer, so that it can become a dead letter', async () => {
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
    });
  });

  describe('when the broker is interrupted', () => {
    it('publications wait for it, and consumers continue by themselves', async () => {
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

      const resume = await harness().outage();
      await eventually(() => expect(transport.healthy()).toBe(false));
      const during = envelopeFor(queue);
      const publishing = transport.publish(during);
      await resume();
      await publishing;

      await eventually(() => expect(seen).toContain(during.id));
      expect(transport.healthy()).toBe(true);
      const after = envelopeFor(queue);
      await transport.publish(after);
      await eventually(() => expect(seen).toContain(after.id));
    });

    it('keeps waiting messages, retries and dead letters, and delivers messages in progress again', async () => {
      const transport = await connected({ publishTimeoutMs: 60_000 });
      const [waiting, failing, inProgress] = [
        await one(transport),
        await one(transport),
        await one(transport),
      ];
      const [waits, dies, works] = [envelopeFor(waiting), envelopeFor(failing), envelopeFor(inProgress)];
      for (const envelope of [waits, dies, works]) await transport.publish(envelope);
      await transport.consume(failing.name, 1, (delivery) => delivery.deadLetter('Dead before the outage'));
      await eventually(async () => expect((await transport.depth(failing.name)).dead).toBe(1));
      const attempts: number[] = [];
      const settled: Promise<unknown>[] = [];
      let finish: () => void = () => undefined;
      const wait = new Promise<void>((resolve) => (finish = resolve));
      await transport.consume(inProgress.name, 1, async (delivery) => {
        attempts.push(delivery.attempt);
        if (delivery.attempt === 1) await wait;
        const settling = delivery.acknowledge();
        settled.push(settling);
        await settling;
      });
      await eventually(() => expect(attempts).toEqual([1]));

      const resume = await harness().outage();
      await eventually(() => expect(transport.healthy()).toBe(false));
      finish();
      await resume();

      // Each transport decides whether an attempt that the broker interrupted counts.
      await eventually(() => expect(attempts.length).toBeGreaterThan(1));
      await expect(settled[0]).rejects.toThrow(DeliveryLostError);
      const [kept] = await collect(transport, waiting, 1);
      expect(kept?.envelope.id).toBe(waits.id);
      const letters = await transport.listDeadLetters(failing.name);
      expect(letters.map(({ envelope }) => envelope.id)).toEqual([dies.id]);
    });
  });
}
