import { randomUUID } from 'node:crypto';
import { BusUnavailableError, UnroutableMessageError } from '../transport/transport-errors';
import { collect, envelopeFor, type TransportBench } from './transport-bench';

export function describePublishing({ connected, declared, one, track, harness }: TransportBench): void {
  describe('publishing', () => {
    it('delivers a message unchanged', async () => {
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

    it('has the message in the queue once publish resolves, even without a consumer', async () => {
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

    it('rejects a message that no queue takes', async () => {
      const transport = await connected();

      await expect(
        transport.publish(envelopeFor({ name: 'none', routingKey: `nobody.${randomUUID()}` })),
      ).rejects.toThrow(UnroutableMessageError);
    });

    it('delivers 256 KB', async () => {
      const transport = await connected();
      const queue = await one(transport);
      const text = 'x'.repeat(256 * 1024);

      await transport.publish(envelopeFor(queue, { text }));

      const [delivery] = await collect(transport, queue, 1);
      expect((delivery?.envelope.data as { text: string }).text).toBe(text);
    });

    it('rejects after the publish deadline if the broker is unreachable', async () => {
      const transport = track(harness().createUnreachable({ publishTimeoutMs: 400 }));

      await expect(transport.publish(envelopeFor({ name: 'q', routingKey: 'r' }))).rejects.toThrow(
        BusUnavailableError,
      );
      expect(transport.healthy()).toBe(false);
    });
  });
}
