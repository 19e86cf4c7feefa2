import { setTimeout as pause } from 'node:timers/promises';
import { type EventEnvelope, events } from '@vitrine/contracts';
import { type MessageTransport } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import type { ChaosStack } from './chaos-stack';
import type { Random } from '@vitrine/demo/random';

const PREFETCH = 20;
/** Longest delay between an event and its repetition. */
const MAX_ECHO_DELAY_MS = 2_000;

/** An additional consumer of every event, which publishes each one again. */
export class MessageTap {
  private readonly seen = new Map<string, { readonly envelope: EventEnvelope; deliveries: number }>();
  private readonly echoes = new Set<Promise<void>>();

  private constructor(
    private readonly transport: MessageTransport,
    private readonly random: Random,
  ) {}

  /** Starts to consume from its own queues. */
  static async open(stack: ChaosStack, random: Random): Promise<MessageTap> {
    const transport = createTransport({ url: stack.busUrl }, 'chaos-tap');
    const tap = new MessageTap(transport, random);
    const queues = Object.values(events).map(({ type }) => ({ name: `chaos.${type}`, routingKey: type }));
    await transport.declare(queues);
    for (const { name } of queues) {
      await transport.consume(name, PREFETCH, async (delivery) => {
        tap.hear(delivery.envelope);
        await delivery.acknowledge();
      });
    }
    return tap;
  }

  /** The number of different events so far. */
  get messages(): number {
    return this.seen.size;
  }

  /** The number of deliveries of all events to each of their consumers. */
  get deliveries(): number {
    return [...this.seen.values()].reduce((sum, { deliveries }) => sum + deliveries, 0);
  }

  /**
   * Publishes every event again, in random order, until it was delivered `times` times. Returns the number of messages:
   * they can cause new events, which must be repeated too.
   */
  async repeat(times: number): Promise<number> {
    await Promise.all(this.echoes);
    const due = [...this.seen.values()].filter(({ deliveries }) => deliveries < times);
    const order = this.random.shuffle(
      due.flatMap(({ envelope, deliveries }) => Array<EventEnvelope>(times - deliveries).fill(envelope)),
    );
    for (const envelope of order) await this.transport.publish(envelope);
    return order.length;
  }

  async close(): Promise<void> {
    await Promise.all(this.echoes);
    await this.transport.close();
  }

  private hear(envelope: EventEnvelope): void {
    const known = this.seen.get(envelope.id);
    if (known) {
      known.deliveries++;
      return;
    }
    this.seen.set(envelope.id, { envelope, deliveries: 1 });
    const echo = pause(this.random.integer(0, MAX_ECHO_DELAY_MS)).then(() =>
      this.transport.publish(envelope),
    );
    this.echoes.add(echo);
    // `repeat` and `close` report a failure.
    echo.then(
      () => this.echoes.delete(echo),
      () => undefined,
    );
  }
}
