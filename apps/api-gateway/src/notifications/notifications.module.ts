import { Module } from '@nestjs/common';
import {
  NotificationsModule as DomainNotificationsModule,
  NoticesModule,
  NotificationMails,
} from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { AnnouncementSweep } from './announcement.sweep';
import { NotificationsController } from './notifications.controller';

/** Notifications in the site, and the mails about them. */
@Module({
  imports: [DomainNotificationsModule, NoticesModule],
  controllers: [NotificationsController],
  providers: [
    AnnouncementSweep,
    provideSweep(
      'mails of notifications',
      NotificationMails,
      async (mails, mayContinue) => ({ mails: await mails.runDue(mayContinue) }),
      { intervalSeconds: 60 },
    ),
  ],
  exports: [AnnouncementSweep],
})
export class NotificationsModule {}
