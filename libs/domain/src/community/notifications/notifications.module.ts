import { Module } from '@nestjs/common';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { NotificationRepository } from './notification.repository';
import { NotificationsService } from './notifications.service';

/** Notifications in the site. */
@Module({
  imports: [AuthorsModule],
  providers: [NotificationRepository, NotificationsService],
  exports: [NotificationsService],
})
export class NotificationsModule {}
