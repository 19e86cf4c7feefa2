import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller';

/** Notifications, and which of them the account wants. */
@Module({ controllers: [NotificationsController] })
export class NotificationsModule {}
