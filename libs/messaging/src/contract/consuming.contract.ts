import { eventually } from '@vitrine/testing';
import type { Delivery } from '../transport/message-transport';
import { collect, envelopeFor, publishMany, type TransportBench } from './transport-bench';

export function describeConsuming({ connected, one }: TransportBench): void {
  describe('consuming', () => {
    it('divides a queue among competing consumers, each message once', async () => {
      const publisher = await connected();
      const queue = await one(publisher);
      const taken: string[][] = [[], [], []];
      let begin = (): void => undefined;
      const allHaveBegun = new Promise<void>((resolve) => (begin = resolve));
      for (const own of taken) {
        const transport = await connected();
        await transport.consume(queue.name, 5, async (delivery) => {
          own.push(delivery.envelope.id);
          if (taken.every(({ length }) => length > 0)) begin();
          await allHaveBegun;
          await delivery.acknowledge();
        });
      }

      const envelopes = await publishMany(publisher, queue, 150);

      await eventually(() => expect(taken.flat()).toHaveLength(150));
      expect(new Set(taken.flat())).toEqual(new Set(envelopes.map(({ id }) => id)));
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

    it('has at most `prefetch` deliveries in progress', async () => {
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

      await eventually(() => expect(seen.size).toBe(1_000));
      await subscription.drain();
    });

    it('gives back messages that a handler does not settle or throws on', async () => {
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
    it('delivers again after the delay, and counts the attempt', async () => {
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
      const late = waits.map((wait, index) => wait - (delays[index] ?? 0)).sort((a, b) => a - b);
      expect(late[0]).toBeGreaterThanOrEqual(-5);
      // On a busy machine, one of them may be later.
      expect(late[1]).toBeLessThan(1_500);
    });

    it('delivers again after a postponement, without counting an attempt', async () => {
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

    it('delivers other messages while one waits for its retry', async () => {
      const transport = await connected();
      const queue = await one(transport);
      const slow = envelopeFor(queue);
      const quick = envelopeFor(queue);
      await transport.publish(slow);
      await transport.publish(quick);
      const order: string[] = [];

      await transport.consume(queue.name, 1, async (delivery) => {
        if (delivery.envelope.id === slow.id && order.length === 0) {
          await delivery.retryLater(300);
          return;
        }
        order.push(delivery.envelope.id);
        await delivery.acknowledge();
      });

      await eventually(() => expect(order).toEqual([quick.id, slow.id]));
    });

    it('keeps a waiting retry when its consumer ends', async () => {
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

    it('gives a released message back without counting an attempt', async () => {
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
}
