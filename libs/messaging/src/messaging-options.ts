import type { EventDefinition } from '@vitrine/contracts';

export interface MessagingOptions {
  /** This process's name, the first half of its queues' names. */
  readonly service: string;
  /** The events that it must act on, each of which has exactly one `@HandleEvent`. */
  readonly consumes: readonly EventDefinition<string, unknown>[];
  /** Whether this process publishes the outbox of its database; needs DATABASE_URL. */
  readonly relay?: boolean;
}

export const MESSAGING_OPTIONS = Symbol('vitrine:messaging-options');
