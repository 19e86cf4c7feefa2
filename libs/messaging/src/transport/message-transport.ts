import type { EventEnvelope } from '@vitrine/contracts';

/** The queue of one service for one event: `<service>.<event>`, bound to one routing key. */
export interface QueueDefinition {
  readonly name: string;
  readonly routingKey: string;
}

/**
 * One delivery, which must be settled exactly once by one of the five methods. Each rejects with `DeliveryLostError` if
 * the broker has taken the message back meanwhile (the connection was lost): it will be delivered again.
 */
export interface Delivery {
  readonly queue: string;
  readonly envelope: EventEnvelope;
  /** 1 for the first attempt; increases with each retry, and with each delivery during which the consumer was killed. */
  readonly attempt: number;
  acknowledge(): Promise<void>;
  /** Delivers the message again after `delayMs` milliseconds; resolves once the broker has stored it. */
  retryLater(delayMs: number): Promise<void>;
  /** As `retryLater`, but this attempt does not count. For messages that are valid but can't be handled yet. */
  postpone(delayMs: number): Promise<void>;
  /** Moves the message to `<queue>.dead` with the reason; resolves once the broker has stored it. */
  deadLetter(reason: string): Promise<void>;
  /** Gives it back unhandled, so that another consumer gets it immediately (for a consumer that stops). */
  release(): Promise<void>;
}

export interface Subscription {
  /** Stops taking messages, and resolves when those in progress are settled. */
  drain(): Promise<void>;
}

export interface DeadLetter {
  readonly id: string;
  readonly queue: string;
  readonly envelope: EventEnvelope;
  readonly reason: string;
  readonly attempts: number;
  /** ISO 8601. */
  readonly died_at: string;
}

/**
 * The bus: delivery at least once, publisher confirms, delayed retries and dead letters.
 * Both adapters, RabbitMQ and PostgreSQL, must pass the suite in contract/transport.contract.ts.
 * After `connect`, an adapter reconnects until it is closed, at the start and after each loss.
 * Queries (`depth`, the dead letters, `probe`, `findUndeclared`) reject if no answer comes in time.
 */
export abstract class MessageTransport {
  /** Resolves with the first connection, however long that takes; rejects if `close` is called before. */
  abstract connect(): Promise<void>;

  /** Declares queues and their dead-letter queues. Many processes may do so at the same time. */
  abstract declare(queues: readonly QueueDefinition[]): Promise<void>;

  /**
   * Resolves once the broker has stored the message in every bound queue. Rejects with `UnroutableMessageError` if none
   * is bound, and with `BusUnavailableError` if the broker doesn't confirm before the publish deadline; then the message
   * may nevertheless have arrived.
   */
  abstract publish(envelope: EventEnvelope): Promise<void>;

  /**
   * Calls `onDelivery` for each message, with at most `prefetch` deliveries in progress, and resumes by itself after each
   * loss of the broker. A delivery that `onDelivery` doesn't settle, or on which it throws, goes back to the queue.
   */
  abstract consume(
    queue: string,
    prefetch: number,
    onDelivery: (delivery: Delivery) => Promise<void>,
  ): Promise<Subscription>;

  /** Whether there is a connection to the broker. */
  abstract healthy(): boolean;

  /** Counts the waiting and the dead messages of a queue. Those in progress or waiting for a retry may count or not. */
  abstract depth(queue: string): Promise<{ waiting: number; dead: number }>;

  /** Lists the dead letters of one queue, or of every declared queue, oldest first; at most 1,000 per queue. */
  abstract listDeadLetters(queue?: string): Promise<readonly DeadLetter[]>;

  /**
   * Puts a dead letter back into its queue, with 0 attempts. Returns false if there is none with this id. If the broker
   * doesn't answer in time, the letter may nevertheless be put back.
   */
  abstract replayDeadLetter(id: string): Promise<boolean>;

  /** Deletes a dead letter. Returns false if there is none with this id. */
  abstract discardDeadLetter(id: string): Promise<boolean>;

  /**
   * Sends a message through the broker to itself, over a separate temporary queue. Rejects if it can't be published,
   * doesn't come back, or a right is missing.
   */
  abstract probe(): Promise<void>;

  /** Returns the names of those queues that don't exist yet. */
  abstract findUndeclared(queues: readonly QueueDefinition[]): Promise<readonly string[]>;

  /** Closes all connections. Deliveries in progress go back to their queues: drain the subscriptions first. */
  abstract close(): Promise<void>;
}
