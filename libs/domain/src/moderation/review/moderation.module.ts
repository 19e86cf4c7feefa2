import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/outbox';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { MediaModule } from '../../media/items/media.module';
import { BannedHashesModule } from '../bans/banned-hashes.module';
import { NotificationsModule } from '../../community/notifications/notifications.module';
import { DecisionLogModule } from '../decisions/decision-log.module';
import { ModerationQueueEntity } from './moderation-queue.entity';
import { ModerationQueueRepository } from './moderation-queue.repository';
import { ModerationService } from './moderation.service';

/** Decisions on media, and the queue of media that wait for a moderator. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ModerationQueueEntity]),
    AuditLogModule,
    OutboxModule,
    MediaModule,
    BannedHashesModule,
    DecisionLogModule,
    NotificationsModule,
  ],
  providers: [ModerationService, ModerationQueueRepository],
  exports: [ModerationService, BannedHashesModule, DecisionLogModule],
})
export class ModerationModule {}
