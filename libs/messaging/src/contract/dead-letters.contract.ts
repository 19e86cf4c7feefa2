import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@vitrine/contracts';
import { eventually } from '@vitrine/testing';
import type { DeadLetter, MessageTransport, QueueDefinition } from '../transport/message-transport';
import { collect, publishMany, type TransportBench } from './transport-bench';

export function describeDeadLetters({ connected, one }: TransportBench): void {
  describe('dead letters', () => {
    const makeDeadLetters = async (
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

    it('are listed with reason, attempts and time, repeatedly', async () => {
      const transport = await connected();
      const queue = await one(transport);
      const [envelope] = await makeDeadLetters(transport, queue, 1);

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

    it('are listed for all declared queues', async () => {
      const transport = await connected();
      const queue = await one(transport);
      const [envelope] = await makeDeadLetters(transport, queue, 1);

      const letters = await transport.listDeadLetters();

      expect(letters.map((letter) => letter.envelope.id)).toContain(envelope?.id);
    });

    it('are replayed one by one, as if they had never been tried', async () => {
      const transport = await connected();
      const queue = await one(transport);
      await makeDeadLetters(transport, queue, 5);
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

    it('are discarded one by one, and the others stay', async () => {
      const transport = await connected();
      const queue = await one(transport);
      await makeDeadLetters(transport, queue, 3);
      const letters = await transport.listDeadLetters(queue.name);
      const chosen = letters[1] as DeadLetter;

      expect(await transport.discardDeadLetter(chosen.id)).toBe(true);
      expect(await transport.discardDeadLetter(chosen.id)).toBe(false);

      expect(await transport.depth(queue.name)).toEqual({ waiting: 0, dead: 2 });
      const rest = await transport.listDeadLetters(queue.name);
      expect(rest.map(({ id }) => id).sort()).toEqual(
        [letters[0], letters[2]].map((letter) => letter?.id).sort(),
      );
    });

    it('returns false for an unknown id', async () => {
      const transport = await connected();
      const queue = await one(transport);

      expect(await transport.replayDeadLetter(`${queue.name}/${randomUUID()}`)).toBe(false);
      expect(await transport.replayDeadLetter('nonsense')).toBe(false);
      expect(await transport.discardDeadLetter('nonsense')).toBe(false);
    });
  });
}
