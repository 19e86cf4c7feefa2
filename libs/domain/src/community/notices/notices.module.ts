import { Module } from '@nestjs/common';
import { UsersModule } from '../../accounts/users/users.module';
import { MailDeliveryModule } from '../../outgoing/mails/mail-delivery.module';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { Announcements } from './announcements.service';
import { NotificationMails } from './notification-mails.service';

/** Notices that are not written at once: of new posts to followers, and of notifications by mail. */
@Module({
  imports: [FeedsModule, NotificationsModule, UsersModule, MailDeliveryModule],
  providers: [Announcements, NotificationMails],
  exports: [Announcements, NotificationMails],
})
export class NoticesModule {}
