/** The events that a webhook can receive. */
export const WEBHOOK_EVENTS = [
  'media.uploaded',
  'media.processed',
  'media.failed',
  'media.moderated',
  'media.deleted',
  'post.created',
  'post.updated',
  'post.deleted',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'user.followed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The event of a test, which every webhook receives on request. */
export const WEBHOOK_TEST = 'webhook.test' as const;

/**
 * Why a webhook receives nothing: its owner paused it, its receiver failed for days or answered 410, its API token has
 * ended, or the password of the account was changed.
 */
export const WEBHOOK_DISABLED_REASONS = [
  'paused',
  'failing',
  'gone',
  'token_ended',
  'password_changed',
] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** The largest number of webhooks of an account. */
export const MAX_WEBHOOKS = 10;
/** Characters of the longest address of a webhook. */
export const MAX_WEBHOOK_URL = 2000;
/** Characters of the longest description of a webhook. */
export const MAX_WEBHOOK_DESCRIPTION = 200;
