import type { EventEnvelope } from '@vitrine/contracts';

/** A consumer's queue: `<service>.<event>`, bound to the one routing key. */
export interface QueueDefinition {
  readonly name: string;
  readonly routingKey: string;
}

/** One delivery, to be settled exactly once by one of its four endings. */
export interface Delivery {
  readonly queue: string;
  readonly envelope: EventEnvelope;
  /** 1 for the first try; rises with each retry and with each delivery that a killed consumer left behind. */
  readonly attempt: number;
  acknowledge(): Promise<void>;
  /** Delivers again after `delayMs` (milliseconds); the message is safe before this resolves. */
  retryLater(delayMs: number): Promise<void>;
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
 */
export interface MessageTransport {
  connect(): Promise<void>;
  /** Declares queues and their dead-letter queues; safe to call by many processes at once. */
  declare(queues: readonly QueueDefinition[]): Promise<void>;
  /** Resolves once the broker has the message in every bound queue; rejects with `UnroutableMessageError` where none is bound. */
  publish(envelope: EventEnvelope): Promise<void>;
  /** Calls `onDelivery` with at most `prefetch` unsettled deliveries at a time. */
  consume(
    queue: string,
    prefetch: number,
    onDelivery: (delivery: Delivery) => Promise<void>,
  ): Promise<Subscription>;
  /** True while the broker answers. */
  healthy(): boolean;
  /** Messages waiting in a queue, and dead ones. */
  depth(queue: string): Promise<{ waiting: number; dead: number }>;
  listDeadLetters(queue?: string): Promise<readonly DeadLetter[]>;
  /** Puts a dead letter back into its queue with its attempts at 0; false where there is none with this id. */
  replayDeadLetter(id: string): Promise<boolean>;
  close(): Promise<void>;
}
