import { Flag, QueryFlag, WholeNumber } from './fields';
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

  @Flag({ description: 'New followers.' })
  follow?: boolean;

  @Flag({ description: 'Results of moderation on your posts and media.' })
  moderation?: boolean;
}
