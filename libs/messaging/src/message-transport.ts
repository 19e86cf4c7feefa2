import type { EventEnvelope } from '@vitrine/contracts';

/** A consumer's queue: `<service>.<event>`, bound to the one routing key. */
export interface QueueDefinition {
  readonly name: string;
  readonly routingKey: string;
}

/**
 * One delivery, to be settled exactly once by one of its five endings. Each rejects with `DeliveryLostError` where
 * the broker has taken the message back meanwhile (the connection was lost): it will be delivered again.
 */
export interface Delivery {
  readonly queue: string;
  readonly envelope: EventEnvelope;
  /** 1 for the first try; rises with each retry and with each delivery that a killed consumer left behind. */
  readonly attempt: number;
  acknowledge(): Promise<void>;
  /** Delivers again after `delayMs` (milliseconds); the message is safe before this resolves. */
  retryLater(delayMs: number): Promise<void>;
  /** As `retryLater`, and this try does not count: nothing is wrong with the message, only with its time. */
  postpone(delayMs: number): Promise<void>;
  /** Moves the message to `<queue>.dead` with the reason; it is safe before this resolves. */
  deadLetter(reason: string): Promise<void>;
  /** Gives it back untouched for an immediate delivery elsewhere (a stopping consumer). */
  release(): Promise<void>;
}

export interface Subscription {
  /** Takes no further messages and resolves when those under way are settled. */
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
 * The bus as Vitrine needs it: at-least-once, confirmed, with delayed retry and dead letters.
 * Two adapters, RabbitMQ and PostgreSQL, keep the one contract in message-transport.contract.ts.
 * Each goes on trying to reach its broker, at boot and after every loss, until it is closed.
 * What asks the broker (`depth`, the dead letters, `probe`, `findUndeclared`) rejects where no answer comes in time.
 */
export abstract class MessageTransport {
  /** Resolves at the first connection, however long the broker takes; rejects where `close` comes first. */
  abstract connect(): Promise<void>;

  /** Declares queues and their dead-letter queues; safe to call by many processes at once. */
  abstract declare(queues: readonly QueueDefinition[]): Promise<void>;

  /**
   * Resolves once the broker has the message in every bound queue. Rejects with `UnroutableMessageError` where none
   * is bound, and with `BusUnavailableError` where the broker can't be reached before the publish deadline; in the
   * latter case the message may have arrived all the same.
   */
  abstract publish(envelope: EventEnvelope): Promise<void>;

  /**
   * Calls `onDelivery` with at most `prefetch` deliveries under way at a time, and resumes by itself after each
   * loss of the broker. A delivery that `onDelivery` leaves unsettled, or that it throws on, is given back.
   */
  abstract consume(
    queue: string,
    prefetch: number,
    onDelivery: (delivery: Delivery) => Promise<void>,
  ): Promise<Subscription>;

  /** True while the broker answers. */
  abstract healthy(): boolean;

  /** Messages waiting in a queue, and dead ones. Those under way or waiting for their retry may count or not. */
  abstract depth(queue: string): Promise<{ waiting: number; dead: number }>;

  /** Dead letters of one queue, or of every declared queue, oldest first; at most 1,000 of each queue. */
  abstract listDeadLetters(queue?: string): Promise<readonly DeadLetter[]>;

  /**
   * Puts a dead letter back into its queue with its attempts at 0; false where there is none with this id. Where the
   * broker doesn't answer in time, it may be put back all the same.
   */
  abstract replayDeadLetter(id: string): Promise<boolean>;

  /**
   * Sends a message through the broker to itself, over nothing that anybody else uses and that would stay. Rejects
   * where it can't be published, doesn't come back, or a right is lacking.
   */
  abstract probe(): Promise<void>;

  /** Those of the queues that nobody has declared yet, by name. */
  abstract findUndeclared(queues: readonly QueueDefinition[]): Promise<readonly string[]>;

  /** Ends all connections. Deliveries under way are given back: drain the subscriptions first. */
  abstract close(): Promise<void>;
}
