import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { EventEnvelope } from '@vitrine/contracts';
import { eventually, forkTypeScript } from '@vitrine/testing';
import type { Delivery, MessageTransport, QueueDefinition } from '../transport/message-transport';
import type { ChildMessage, ChildOrder } from './consumer-child';

/** One broker with the functions that the contract needs. */
export interface TransportHarness {
  readonly url: string;
  /** The program that calls `runConsumerChild` with this adapter: an absolute path to its TypeScript file. */
  readonly childProgram: string;
  /** Makes a new transport on the broker; the contract closes it. */
  create(options?: { publishTimeoutMs?: number }): MessageTransport;
  /** Makes a transport whose broker never answers. */
  createUnreachable(options: { publishTimeoutMs: number }): MessageTransport;
  /** Cuts all connections and refuses new ones until the function that it resolves with is called. */
  outage(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/**
 * Functions that the tests of the contract share. Each transport and process is closed after the test that created
 * it.
 */
export interface TransportBench {
  readonly harness: () => TransportHarness;
  readonly track: (transport: MessageTransport) => MessageTransport;
  readonly connected: (options?: { publishTimeoutMs?: number }) => Promise<MessageTransport>;
  /** Declares queues with fresh names, all bound to one fresh routing key. */
  readonly declared: (transport: MessageTransport, count?: number) => Promise<QueueDefinition[]>;
  /** Declares one such queue. */
  readonly one: (transport: MessageTransport) => Promise<QueueDefinition>;
  readonly child: (order: ChildOrder) => ChildProcess;
  /** Resolves with the first message of this kind; rejects if the child ends first. */
  readonly heard: (from: ChildProcess, kind: ChildMessage['kind']) => Promise<ChildMessage>;
  /** Resolves once the child has ended. */
  readonly gone: (from: ChildProcess) => Promise<void>;
}

/** Starts the harness before the tests of the enclosing `describe`, and stops it after them. */
export function transportBench(makeHarness: () => Promise<TransportHarness>): TransportBench {
  let harness: TransportHarness;
  let transports: MessageTransport[] = [];
  let children: ChildProcess[] = [];

  beforeAll(async () => {
    // The outages and killed consumers of these tests would fill the log with warnings.
    Logger.overrideLogger(false);
    harness = await makeHarness();
  });
  afterAll(async () => {
    await harness.stop();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(transports.splice(0).map((transport) => transport.close()));
  });

  const track = (transport: MessageTransport): MessageTransport => {
    transports = [...transports, transport];
    return transport;
  };
  const declared = async (transport: MessageTransport, count = 1): Promise<QueueDefinition[]> => {
    const routingKey = `test.${randomUUID().slice(0, 8)}`;
    const queues = Array.from({ length: count }, (_, index) => ({
      name: `service-${index}.${routingKey}`,
      routingKey,
    }));
    await transport.declare(queues);
    return queues;
  };
  return {
    harness: () => harness,
    track,
    connected: async (options) => {
      const transport = track(harness.create(options));
      await transport.connect();
      return transport;
    },
    declared,
    one: async (transport) => {
      const [queue] = await declared(transport);
      if (!queue) throw new Error('No queue was declared');
      return queue;
    },
    child: (order) => {
      const started = forkTypeScript(harness.childProgram, [JSON.stringify({ url: harness.url, order })]);
      children = [...children, started];
      return started;
    },
    heard: (from, kind) =>
      new Promise((resolve, reject) => {
        from.on('message', (message: ChildMessage) => {
          if (message.kind === kind) resolve(message);
        });
        from.on('exit', (code, signal) => reject(new Error(`The child ended: ${code ?? signal}`)));
      }),
    gone: (from) =>
      new Promise((resolve) => {
        if (from.exitCode !== null || from.signalCode !== null) resolve();
        else from.on('exit', () => resolve());
      }),
  };
}

export function envelopeFor(queue: QueueDefinition | undefined, data: unknown = { n: 1 }): EventEnvelope {
  return {
    id: randomUUID(),
    type: queue?.routingKey ?? 'none',
    version: 1,
    occurred_at: new Date().toISOString(),
    correlation_id: randomUUID(),
    data,
  };
}

export async function publishMany(
  transport: MessageTransport,
  queue: QueueDefinition,
  count: number,
): Promise<EventEnvelope[]> {
  const envelopes = Array.from({ length: count }, () => envelopeFor(queue));
  await Promise.all(envelopes.map((envelope) => transport.publish(envelope)));
  return envelopes;
}

/** Takes `count` deliveries. Acknowledges them and drains the subscription, unless `settle` is false. */
export async function collect(
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
