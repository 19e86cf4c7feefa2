import type { WebhookDeliveryStatus, WebhookDisabledReason, WebhookEvent } from '@vitrine/contracts';

/** A webhook, without its secret. */
export interface Webhook {
  readonly id: number;
  readonly userId: number;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly WebhookEvent[];
  readonly disabledReason: WebhookDisabledReason | null;
  readonly disabledAt: Date | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

/** The fields that an owner sets. */
export interface WebhookFields {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly WebhookEvent[];
}

/** Who creates or changes a webhook. */
export interface WebhookEditor {
  readonly userId: number;
  /** The API token that is used; null for a session. */
  readonly tokenId: number | null;
}

/** The changes of an owner; undefined fields stay unchanged. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly events?: readonly WebhookEvent[] | undefined;
  readonly active?: boolean | undefined;
}

/** The event that a delivery carries, as the event's cause wrote it. */
export interface DeliveredEvent {
  readonly eventId: string;
  readonly event: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One event for one webhook. */
export interface WebhookDelivery extends DeliveredEvent {
  readonly id: number;
  readonly webhookId: number;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  readonly lastAttemptAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly tookMs: number | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly createdAt: Date;
}

/** A delivery that this process has taken and must send. */
export interface ClaimedDelivery extends DeliveredEvent {
  readonly id: number;
  readonly webhookId: number;
  readonly userId: number;
  /** The number of this attempt; the first is 1. */
  readonly attempt: number;
  /** Whether the webhook's latest attempt had failed. */
  readonly wasFailing: boolean;
  readonly url: string;
  /** The host of the address and its port. */
  readonly host: string;
  /** The secret, and the previous one while it is valid. */
  readonly secrets: readonly Buffer[];
}

/** The result of an attempt. */
export interface SendResult {
  /** Null if there was no response. */
  readonly status: number | null;
  /** The beginning of the response's body; null if there was no response. */
  readonly body: string | null;
  /** Why the attempt failed; null if it succeeded. */
  readonly error: string | null;
  readonly tookMs: number;
}
