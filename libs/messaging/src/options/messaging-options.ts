import type { EventDefinition } from '@vitrine/contracts';
import type { MessageTransport } from '../transport/message-transport';

/** Where the bus is. */
export interface BusAddress {
  readonly url: string;
  /** Milliseconds that a publication may wait for the broker and its confirmation; ten seconds if unset. */
  readonly publishTimeoutMs?: number;
}

/**
 * Makes the transport that `BUS_URL` asks for, not connected yet; `name` is the name that the broker shows for this
 * process.
 */
export type TransportFactory = (
  address: BusAddress,
  name: string,
) => MessageTransport | Promise<MessageTransport>;

export interface MessagingOptions {
  /** This process's name, the first half of its queues' names. */
  readonly service: string;
  /** The events that this process must act on; each has exactly one `@HandleEvent`. */
  readonly consumes: readonly EventDefinition<string, unknown>[];
  readonly createTransport: TransportFactory;
}

export const MESSAGING_OPTIONS = Symbol('vitrine:messaging-options');
