import { randomUUID } from 'node:crypto';
import { eventually } from '@vitrine/testing';
import { BusUnavailableError } from '../transport/transport-errors';
import { collect, envelopeFor, publishMany, type TransportBench } from './transport-bench';

export function describeStartingAndStopping({
  connected,
  one,
  track,
  child,
  heard,
  harness,
}: TransportBench): void {
  describe('starting and stopping', () => {
    it('finishes messages in progress when it drains, and leaves the rest to others', async () => {
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
      // It has released the messages that it will not handle, so that others get them before the drain ends.
      const others = await collect(await connected(), queue, 8);
      expect(drained).toBe(false);
      finish();
      await draining;

      expect(finished).toHaveLength(2);
      expect(others.map(({ attempt }) => attempt)).toEqual(Array(8).fill(1));
      expect(new Set([...finished, ...others.map(({ envelope }) => envelope.id)]).size).toBe(10);
    });

    it('lets many processes declare the same queues at the same time', async () => {
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
    });

    it('leaves nothing behind after a probe, and names undeclared queues', async () => {
      const transport = await connected();
      const queue = await one(transport);

      await transport.probe();

      const missing = { name: `nobody.${randomUUID()}`, routingKey: 'none' };
      expect(await transport.findUndeclared([queue, missing])).toEqual([missing.name]);
      expect(await transport.depth(queue.name)).toEqual({ waiting: 0, dead: 0 });
      await expect(track(harness().createUnreachable({ publishTimeoutMs: 200 })).probe()).rejects.toThrow(
        BusUnavailableError,
      );
    });

    it('rejects connect if close comes first', async () => {
      const transport = track(harness().createUnreachable({ publishTimeoutMs: 400 }));
      const connecting = transport.connect();
      const rejected = expect(connecting).rejects.toThrow(BusUnavailableError);

      await transport.close();

      await rejected;
    });
  });
}
