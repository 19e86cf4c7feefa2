import type { NotificationResource } from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import type { NotificationView } from '@vitrine/domain';
import { presentAuthor } from '@vitrine/http';

/** The resource of a notification. */
export const presentNotification = (
  { notification, actor }: NotificationView,
  urls: PublicUrlsConfig,
): NotificationResource => ({
  id: notification.id,
  kind: notification.kind,
  read: notification.read,
  created_at: notification.createdAt.toISOString(),
  user: actor && presentAuthor(actor, urls),
  post: notification.post,
  media: notification.media,
  comment: notification.comment,
  moderation_status: notification.detail?.to ?? null,
  message: notification.detail?.message ?? null,
});
