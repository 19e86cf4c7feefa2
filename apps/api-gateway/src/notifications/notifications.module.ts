import { Module } from '@nestjs/common';
import { MediaModule, NotificationsModule as DomainNotificationsModule } from '@vitrine/domain';
import { NotificationsController } from './notifications.controller';

/** Notifications in the site. */
@Module({ imports: [DomainNotificationsModule, MediaModule], controllers: [NotificationsController] })
export class NotificationsModule {}
