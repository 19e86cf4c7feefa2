import { WEBHOOK_TEST } from '@vitrine/contracts';
import type { WebhookPayloadData, WebhookPayloadResource, WebhookPayloadType } from '@vitrine/contracts/api';
import type { DeliveredEvent } from './webhook.types';

/**
 * The fields of each event that its owner may know. The events of the bus have more: who decided, internal ids and
 * object keys.
 */
const FIELDS: { readonly [Type in WebhookPayloadType]: readonly (keyof WebhookPayloadData<Type>)[] } = {
  'media.uploaded': ['slug', 'kind', 'format', 'mime', 'bytes', 'width', 'height', 'frames', 'duration'],
  'media.processed': ['slug', 'kind', 'width', 'height', 'duration'],
  'media.failed': ['slug', 'reason'],
  'media.moderated': ['slug', 'from', 'to'],
  'media.deleted': ['slug'],
  'post.created': ['post_id', 'slug', 'visibility', 'moderation_status'],
  'post.updated': ['post_id', 'slug', 'changed', 'visibility', 'moderation_status'],
  'post.deleted': ['post_id', 'slug'],
  'comment.created': ['comment_id', 'post_id', 'parent_id'],
  'comment.updated': ['comment_id', 'post_id', 'parent_id'],
  'comment.deleted': ['comment_id', 'post_id', 'tombstone'],
  'user.followed': ['username'],
  [WEBHOOK_TEST]: ['webhook_id'],
};

const isKnown = (event: string): event is keyof typeof FIELDS => Object.hasOwn(FIELDS, event);

/** The payload of an event for a receiver. It is the same in each attempt. */
export function webhookPayload({ event, occurredAt, data }: DeliveredEvent): WebhookPayloadResource {
  const names: readonly string[] = isKnown(event) ? FIELDS[event] : [];
  return {
    type: event,
    timestamp: occurredAt.toISOString(),
    data: Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]])),
  };
}
