import { Module } from '@nestjs/common';
import { NotificationsModule as DomainNotificationsModule } from '@vitrine/domain';
import { NotificationsController } from './notifications.controller';

/** Notifications in the site. */
@Module({ imports: [DomainNotificationsModule], controllers: [NotificationsController] })
export class NotificationsModule {}
