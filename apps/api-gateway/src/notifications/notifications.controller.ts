import { Body, Controller, Get, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  MessageResource,
  NotificationListQuery,
  NotificationResource,
  NotificationSettingsAnswer,
  NotificationSettingsRequest,
  type PageResource,
  ReadNotificationsQuery,
} from '@vitrine/contracts/api';
import { type Caller, NotificationsService, type NotificationView } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  IdPipe,
  presentAuthor,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers, AnswersPage } from '../openapi/answers';

@ApiTags('me')
@Controller(`${API_PREFIX}/me`)
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('notifications')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'listNotifications',
    summary: 'List your notifications',
    description:
      'The latest 500 of each kind are kept. A notification is removed when its subject is removed: when the comment or the account is deleted, or the follow ends. Users whom you block or mute, or who block you, cause no notifications.',
  })
  @AnswersPage(NotificationResource, 'One page of notifications, the latest first.', {
    unread: { type: 'integer', description: 'Number of all unread notifications.' },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: NotificationListQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<NotificationResource> & { readonly unread: number }> {
    const { items, total, unread } = await this.notifications.findPage(caller.userId, query);
    const { page, limit } = query;
    return {
      ...presentPage(
        items.map((view) => presentNotification(view, this.urls)),
        { page, limit, total },
        address,
      ),
      unread,
    };
  }

  @Put('notifications/read')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'readNotifications',
    summary: 'Mark all notifications as read',
    description:
      'Idempotent. With `up_to`, notifications that arrived after you had read the list stay unread.',
  })
  @Answers(200, MessageResource, 'The notifications are read.')
  async readAll(
    @CurrentCaller() caller: Caller,
    @Query() { up_to: upTo }: ReadNotificationsQuery,
  ): Promise<MessageResource> {
    await this.notifications.markAllRead(caller.userId, upTo ?? null);
    return { message: 'Notifications marked as read.' };
  }

  @Put('notifications/:notification/read')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'readNotification',
    summary: 'Mark a notification as read',
    description: 'Idempotent.',
  })
  @Answers(200, MessageResource, 'The notification is read.')
  async read(
    @CurrentCaller() caller: Caller,
    @Param('notification', IdPipe) id: number,
  ): Promise<MessageResource> {
    await this.notifications.markRead(caller.userId, id);
    return { message: 'Notification marked as read.' };
  }

  @Get('notification-settings')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'getNotificationSettings',
    summary: 'Get your notification settings',
    description: 'Notifications of changes of your account by staff cannot be turned off.',
  })
  @Answers(200, NotificationSettingsAnswer, 'The settings.')
  async showSettings(@CurrentCaller() caller: Caller): Promise<NotificationSettingsAnswer> {
    return { data: await this.notifications.findSettings(caller.userId) };
  }

  @Patch('notification-settings')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'updateNotificationSettings',
    summary: 'Change your notification settings',
    description: 'Omitted kinds stay unchanged. Existing notifications are not removed.',
  })
  @Answers(200, NotificationSettingsAnswer, 'The settings after the change.')
  async changeSettings(
    @CurrentCaller() caller: Caller,
    @Body() body: NotificationSettingsRequest,
  ): Promise<NotificationSettingsAnswer> {
    return { data: await this.notifications.changeSettings(caller.userId, body) };
  }
}

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
