import { NOTIFICATION_MAILS, type NotificationMails } from '../vocabulary/accounts';
import { Choice, Flag, QueryFlag, WholeNumber } from './fields';
import { PageQuery } from './page-queries';

/** GET /me/notifications */
export class NotificationListQuery extends PageQuery {
  @QueryFlag({ description: '`1` lists only unread notifications.' })
  unread?: boolean;
}

/** PUT /me/notifications/read */
export class ReadNotificationsQuery {
  @WholeNumber({
    min: 1,
    description:
      'The id of the latest notification to mark; later ones stay unread. If absent, all are marked.',
  })
  up_to?: number;
}

/** PATCH /me/notification-settings: omitted kinds stay unchanged. */
export class NotificationSettingsRequest {
  @Flag({ description: 'Comments on your posts.' })
  comment?: boolean;

  @Flag({ description: 'Replies to your comments.' })
  reply?: boolean;

  @Flag({ description: 'Comments and posts that name you with @ and your username.' })
  mention?: boolean;

  @Flag({ description: 'New followers.' })
  follow?: boolean;

  @Flag({ description: 'New posts of people whom you follow. Off unless you turn it on.' })
  post?: boolean;

  @Flag({ description: 'Results of moderation on your posts and media.' })
  moderation?: boolean;

  @Choice(NOTIFICATION_MAILS, {
    description: 'How often unread notifications are sent to your verified email address, at most.',
  })
  mail?: NotificationMails;
}
