import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backoff, waitAtMost, withDeadline } from '@vitrine/concurrency';
import type { EventEnvelope } from '@vitrine/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import {
  MessageTransport,
  type DeadLetter,
  type Delivery,
  type QueueDefinition,
  type Subscription,
} from '../transport/message-transport';
import { BusUnavailableError, UnroutableMessageError } from '../transport/transport-errors';
import { countMessages, listDeadQueue, takeFromDeadQueue, withChannel } from './dead-letter-queue';
import { type Link, RabbitMqLink } from './rabbitmq-link';
import { RabbitMqSubscription } from './rabbitmq-subscription';
import { assertExchange, assertQueue, deadQueue } from './topology';

export interface RabbitMqTransportOptions {
  readonly url: string;
  /** Name of the process, for the broker's list of connections. */
  readonly name: string;
  readonly publishTimeoutMs?: number;
  /** Name of the topic exchange; tests use other names. */
  readonly exchange?: string;
}

const PUBLISH_TIMEOUT_MS = 10_000;
/** How long closing may take; the end of the process closes the connection to a broker that doesn't answer. */
const CLOSE_TIMEOUT_MS = 2_000;
const EXCHANGE = 'vitrine.events';
/** AMQP's reply code for a missing right. */
const ACCESS_REFUSED = 403;

/**
 * The bus on RabbitMQ (3.10 or later): a topic exchange, one quorum queue per service and event, publisher confirms
 * and the `mandatory` flag. A retry waits in a queue that dead-letters back. Our own header counts the attempts,
 * because brokers count differently. `listDeadLetters` lists the queues that were declared on this transport.
 */
export class RabbitMqTransport extends MessageTransport {
  private readonly link: RabbitMqLink;
  private readonly exchange: string;
  private readonly publishTimeoutMs: number;
  private readonly queues = new Map<string, QueueDefinition>();
  private readonly subscriptions = new Set<RabbitMqSubscription>();

  constructor({
    url,
    name,
    publishTimeoutMs = PUBLISH_TIMEOUT_MS,
    exchange = EXCHANGE,
  }: RabbitMqTransportOptions) {
    super();
    this.exchange = exchange;
    this.publishTimeoutMs = publishTimeoutMs;
    this.link = new RabbitMqLink({
      url,
      name: `vitrine ${name}`,
      setup: (model) => this.assertTopology(model, [...this.queues.values()]),
      onReady: (link) => {
        for (const subscription of this.subscriptions) void subscription.open(link);
      },
    });
  }

  async connect(): Promise<void> {
    this.link.open();
    await this.link.ready();
  }

  async declare(queues: readonly QueueDefinition[]): Promise<void> {
    for (const queue of queues) this.queues.set(queue.name, queue);
    await this.connect();
    await this.retryUntilDeadline(async (deadline) => {
      const { model } = await this.link.ready(deadline);
      await this.assertTopology(model, queues);
    });
  }

  async publish(envelope: EventEnvelope): Promise<void> {
    const content = Buffer.from(JSON.stringify(envelope));
    this.link.open();
    await this.retryUntilDeadline(async (deadline) => {
      const { publisher } = await this.link.ready(deadline);
      await publisher.publish(this.exchange, envelope.type, content, {
        messageId: envelope.id,
        type: envelope.type,
      });
    });
  }

  async consume(
    queue: string,
    prefetch: number,
    onDelivery: (delivery: Delivery) => Promise<void>,
  ): Promise<Subscription> {
    await this.connect();
    const subscription = new RabbitMqSubscription(queue, prefetch, onDelivery, {
      exchange: this.exchange,
      live: () => this.link.live,
      redeclare: () => this.redeclare(queue),
    });
    this.subscriptions.add(subscription);
    await subscription.open(await this.link.ready());
    return {
      drain: async () => {
        await subscription.drain();
        this.subscriptions.delete(subscription);
      },
    };
  }

  healthy(): boolean {
    return this.link.live !== undefined;
  }

  depth(queue: string): Promise<{ waiting: number; dead: number }> {
    return this.ask(async ({ model }) => ({
      waiting: (await countMessages(model, queue)) ?? 0,
      dead: (await countMessages(model, deadQueue(queue))) ?? 0,
    }));
  }

  listDeadLetters(queue?: string): Promise<readonly DeadLetter[]> {
    return this.ask(async ({ model }, heard) => {
      const letters: DeadLetter[] = [];
      for (const name of queue === undefined ? this.queues.keys() : [queue]) {
        letters.push(...(await listDeadQueue(model, name, heard)));
      }
      return letters;
    });
  }

  replayDeadLetter(id: string): Promise<boolean> {
    return this.ask((link, heard) => takeFromDeadQueue(link, id, heard, 'replay'));
  }

  discardDeadLetter(id: string): Promise<boolean> {
    return this.ask((link, heard) => takeFromDeadQueue(link, id, heard, 'discard'));
  }

  probe(): Promise<void> {
    return this.ask(({ model, publisher }) =>
      withChannel(model, async (channel) => {
        await assertExchange(channel, this.exchange);
        // Exclusive: it is deleted with the connection at the latest.
        const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true });
        const routingKey = `probe.${randomUUID()}`;
        await channel.bindQueue(queue, this.exchange, routingKey);
        let arrive = (): void => undefined;
        const arrived = new Promise<void>((resolve) => {
          arrive = resolve;
        });
        await channel.consume(queue, () => arrive(), { noAck: true });
        await publisher.publish(this.exchange, routingKey, Buffer.from('{}'), {});
        await arrived;
      }),
    );
  }

  findUndeclared(queues: readonly QueueDefinition[]): Promise<readonly string[]> {
    return this.ask(async ({ model }, heard) => {
      const missing: string[] = [];
      for (const { name } of queues) {
        if ((await countMessages(model, name)) === undefined) missing.push(name);
        heard();
      }
      return missing;
    });
  }

  async close(): Promise<void> {
    await waitAtMost(
      CLOSE_TIMEOUT_MS,
      Promise.all([...this.subscriptions].map((subscription) => subscription.close())),
    );
    await waitAtMost(CLOSE_TIMEOUT_MS, this.link.close());
  }

  /**
   * Rejects with `BusUnavailableError` if the broker is silent for the publish timeout; `heard` restarts that time,
   * for work with many answers. The work itself continues and cleans up when the broker answers.
   */
  private async ask<Result>(work: (link: Link, heard: () => void) => Promise<Result>): Promise<Result> {
    this.link.open();
    const link = await this.link.ready(Date.now() + this.publishTimeoutMs);
    const late = (): Error => new BusUnavailableError('RabbitMQ does not answer');
    return withDeadline({ ms: this.publishTimeoutMs, late }, (heard) => work(link, heard));
  }

  private async redeclare(name: string): Promise<void> {
    const queue = this.queues.get(name);
    if (queue && this.link.live) await this.assertTopology(this.link.live.model, [queue]);
  }

  private async assertTopology(model: ChannelModel, queues: readonly QueueDefinition[]): Promise<void> {
    await declareOrFind(
      model,
      (channel) => assertExchange(channel, this.exchange),
      (channel) => channel.checkExchange(this.exchange),
    );
    for (const queue of queues) {
      await declareOrFind(
        model,
        (channel) => assertQueue(channel, this.exchange, queue),
        (channel) => channel.checkQueue(queue.name),
      );
    }
  }

  /** Runs `work`, and tries again during an outage until the publish deadline. */
  private async retryUntilDeadline(work: (deadline: number) => Promise<void>): Promise<void> {
    const deadline = Date.now() + this.publishTimeoutMs;
    const backoff = new Backoff({ firstMs: 50, longestMs: 1_000 });
    // A broker under a memory or disk alarm answers nothing at all.
    const late = (): Error => new BusUnavailableError('RabbitMQ did not confirm in time');
    for (;;) {
      try {
        return await withDeadline({ ms: deadline - Date.now(), late }, () => work(deadline));
      } catch (error) {
        if (error instanceof UnroutableMessageError || error instanceof BusUnavailableError) throw error;
        const delay = backoff.afterFailure();
        if (Date.now() + delay > deadline) {
          throw new BusUnavailableError('RabbitMQ did not confirm in time', { cause: error });
        }
        await sleep(delay);
      }
    }
  }
}

/** Declares an exchange or a queue. If this user of the broker may not declare it, checks that it exists. */
async function declareOrFind(
  model: ChannelModel,
  declare: (channel: Channel) => Promise<unknown>,
  find: (channel: Channel) => Promise<unknown>,
): Promise<void> {
  try {
    await withChannel(model, declare);
  } catch (error) {
    if ((error as { code?: unknown }).code !== ACCESS_REFUSED) throw error;
    await withChannel(model, find);
  }
}
