import { Logger } from '@nestjs/common';
import { Backoff, Slots } from '@vitrine/concurrency';
import type { EventEnvelope } from '@vitrine/contracts';
import { errorMessage } from '@vitrine/runtime';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Delivery, Subscription } from '../transport/message-transport';
import { DeliveryLostError } from '../transport/transport-errors';
import { attemptOf, envelopeOf, HEADER, malformed } from './message-headers';
import type { Link } from './rabbitmq-link';
import { assertRetryQueue, deadQueue } from './topology';

/** What a subscription needs from its transport. */
export interface SubscriptionContext {
  readonly exchange: string;
  readonly live: () => Link | undefined;
  /** Declares the queue again, in case it was deleted. */
  readonly redeclare: () => Promise<void>;
}

/** A separate channel, so that its errors affect no other subscription. */
interface OpenChannel {
  readonly link: Link;
  readonly channel: Channel;
  open: boolean;
  consumerTag?: string;
}

export class RabbitMqSubscription implements Subscription {
  private readonly logger = new Logger(RabbitMqSubscription.name);
  private readonly slots: Slots;
  private current: OpenChannel | undefined;
  private opening: Promise<void> = Promise.resolve();
  private waiting: RabbitMqDelivery[] = [];
  /** Messages that arrived after the drain had begun, and go back to the queue. */
  private readonly returning: Promise<void>[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff({ firstMs: 100, longestMs: 5_000 });
  private draining = false;

  constructor(
    readonly queue: string,
    private readonly prefetch: number,
    private readonly onDelivery: (delivery: Delivery) => Promise<void>,
    private readonly context: SubscriptionContext,
  ) {
    this.slots = new Slots(prefetch);
  }

  /** Consumes over `link`, and tries again by itself if that fails. A call waits for the previous one. */
  open(link: Link): Promise<void> {
    this.opening = this.opening.then(() => this.openChannel(link));
    return this.opening;
  }

  async drain(): Promise<void> {
    this.draining = true;
    clearTimeout(this.timer);
    await this.opening;
    const { current } = this;
    if (current?.open && current.consumerTag) {
      await current.channel.cancel(current.consumerTag).catch(() => undefined);
    }
    await Promise.all(this.waiting.splice(0).map((delivery) => delivery.release().catch(() => undefined)));
    await Promise.all(this.returning);
    await this.slots.drained();
    await this.close();
  }

  /** Closes the channel; messages in progress go back to the queue. */
  async close(): Promise<void> {
    this.draining = true;
    clearTimeout(this.timer);
    // The broker answers the close after all acknowledgements on this channel, so none is lost in a buffer.
    if (this.current?.open) await this.current.channel.close().catch(() => undefined);
  }

  private async openChannel(link: Link): Promise<void> {
    if (!this.wanted(link) || (this.current?.open && this.current.link === link)) return;
    try {
      const channel = await link.model.createChannel();
      if (!this.wanted(link)) return await channel.close();
      const opened: OpenChannel = { link, channel, open: true };
      const lostChannel = this.current;
      this.current = opened;
      if (lostChannel?.open) lostChannel.channel.close().catch(() => undefined);
      channel.on('error', (error) => this.logger.warn(`${this.queue}: ${error.message}`));
      channel.on('close', () => this.closed(opened));
      await channel.prefetch(this.prefetch);
      const { consumerTag } = await channel.consume(this.queue, (message) => this.receive(opened, message));
      opened.consumerTag = consumerTag;
      this.backoff.reset();
    } catch (error) {
      this.logger.warn(`${this.queue}: ${errorMessage(error)}`);
      this.reopenLater();
    }
  }

  /** False if the connection was lost meanwhile: the transport opens all subscriptions over its successor. */
  private wanted(link: Link): boolean {
    return !this.draining && this.context.live() === link;
  }

  private receive(opened: OpenChannel, message: ConsumeMessage | null): void {
    if (message === null) {
      // The broker ended the consumer: the queue was deleted, or its leader moved.
      opened.channel.close().catch(() => undefined);
      return;
    }
    const envelope = envelopeOf(message);
    const delivery = new RabbitMqDelivery(this.queue, message, envelope, opened, this.context.exchange);
    if (!envelope) {
      this.logger.error(`${this.queue}: a message without an event envelope became a dead letter`);
      delivery.deadLetter('Not an event envelope').catch(() => delivery.giveBack());
    } else if (this.draining) {
      this.returning.push(delivery.release().catch(() => undefined));
    } else {
      this.waiting.push(delivery);
      this.start();
    }
  }

  /** After a reconnect the broker sends messages again, while deliveries of the old connection may still hold slots. */
  private start(): void {
    while (this.slots.free > 0) {
      const delivery = this.waiting.shift();
      if (!delivery) return;
      void this.slots.run(() => this.deliver(delivery)).then(() => this.start());
    }
  }

  private async deliver(delivery: RabbitMqDelivery): Promise<void> {
    try {
      await this.onDelivery(delivery);
    } catch (error) {
      if (!(error instanceof DeliveryLostError)) this.logger.error(error);
    }
    if (!delivery.settled) await delivery.release().catch(() => undefined);
  }

  private closed(opened: OpenChannel): void {
    opened.open = false;
    this.waiting = this.waiting.filter((delivery) => delivery.channel !== opened.channel);
    if (this.current === opened) this.reopenLater();
  }

  /** For a channel that is lost on an open connection; over a new connection the transport opens all subscriptions. */
  private reopenLater(): void {
    if (this.draining) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.reopen(), this.backoff.afterFailure());
  }

  private async reopen(): Promise<void> {
    const link = this.context.live();
    if (!link) return;
    await this.context.redeclare().catch(() => undefined);
    await this.open(link);
  }
}

class RabbitMqDelivery implements Delivery {
  readonly attempt: number;
  readonly envelope: EventEnvelope;
  settled = false;

  constructor(
    readonly queue: string,
    private readonly message: ConsumeMessage,
    envelope: EventEnvelope | undefined,
    private readonly opened: OpenChannel,
    private readonly exchange: string,
  ) {
    this.attempt = attemptOf(message);
    this.envelope = envelope ?? malformed(message);
  }

  get channel(): Channel {
    return this.opened.channel;
  }

  acknowledge(): Promise<void> {
    return this.settle(async () => undefined);
  }

  retryLater(delayMs: number): Promise<void> {
    return this.deliverAgain(delayMs, this.attempt);
  }

  postpone(delayMs: number): Promise<void> {
    return this.deliverAgain(delayMs, this.attempt - 1);
  }

  private deliverAgain(delayMs: number, attempts: number): Promise<void> {
    return this.settle(async ({ model }) => {
      const channel = await model.createChannel();
      try {
        await assertRetryQueue(channel, this.exchange, delayMs).then((retry) =>
          this.republish(retry, this.queue, { [HEADER.attempts]: attempts }),
        );
      } finally {
        await channel.close().catch(() => undefined);
      }
    });
  }

  deadLetter(reason: string): Promise<void> {
    return this.settle(() =>
      this.republish('', deadQueue(this.queue), {
        [HEADER.attempts]: this.attempt,
        [HEADER.reason]: reason,
        [HEADER.diedAt]: new Date().toISOString(),
      }),
    );
  }

  /** Publishes the message again: a requeue may count as an attempt, depending on the version of RabbitMQ. */
  async release(): Promise<void> {
    try {
      await this.settle(() => this.republish('', this.queue, { [HEADER.attempts]: this.attempt - 1 }));
    } catch (error) {
      this.giveBack();
      throw error;
    }
  }

  /** Requeues the message, for when it can't be published. */
  giveBack(): void {
    this.settled = true;
    if (this.opened.open) this.channel.nack(this.message, false, true);
  }

  /** Acknowledges the message after `first`, which stores it elsewhere. */
  private async settle(first: (link: Link) => Promise<void>): Promise<void> {
    if (!this.opened.open) {
      this.settled = true;
      throw new DeliveryLostError(this.queue);
    }
    await first(this.opened.link);
    this.settled = true;
    if (!this.opened.open) throw new DeliveryLostError(this.queue);
    this.channel.ack(this.message);
  }

  private republish(exchange: string, routingKey: string, headers: Record<string, unknown>): Promise<void> {
    const { messageId, type } = this.message.properties;
    return this.opened.link.publisher.publish(exchange, routingKey, this.message.content, {
      headers,
      messageId,
      type,
    });
  }
}
