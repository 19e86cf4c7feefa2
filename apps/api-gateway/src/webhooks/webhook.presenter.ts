import type { WebhookDeliveryResource, WebhookResource } from '@vitrine/contracts/api';
import { webhookPayload, type Webhook, type WebhookDelivery } from '@vitrine/domain';

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The resource of a webhook, for its owner. */
export const presentWebhook = (webhook: Webhook): WebhookResource => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  events: webhook.events,
  active: webhook.disabledReason === null,
  disabled_reason: webhook.disabledReason,
  disabled_at: instant(webhook.disabledAt),
  failing_since: instant(webhook.failingSince),
  created_at: webhook.createdAt.toISOString(),
});

/** The resource of a delivery, for the webhook's owner. */
export const presentWebhookDelivery = (delivery: WebhookDelivery): WebhookDeliveryResource => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts,
  last_attempt_at: instant(delivery.lastAttemptAt),
  next_attempt_at: instant(delivery.nextAttemptAt),
  took_ms: delivery.tookMs,
  response_status: delivery.responseStatus,
  response_body: delivery.responseBody,
  error: delivery.error,
  payload: webhookPayload(delivery),
  created_at: delivery.createdAt.toISOString(),
});
