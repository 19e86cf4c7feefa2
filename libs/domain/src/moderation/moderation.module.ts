import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/messaging';
import { MediaModule } from '../media/media.module';
import { BannedHashesModule } from './banned-hashes.module';
import { ModerationDecisionEntity } from './moderation-decision.entity';
import { ModerationDecisionRepository } from './moderation-decision.repository';
import { ModerationQueueEntity } from './moderation-queue.entity';
import { ModerationQueueRepository } from './moderation-queue.repository';
import { ModerationService } from './moderation.service';

/** Decisions on media, the moderators' queue, and the banned hashes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ModerationDecisionEntity, ModerationQueueEntity]),
    OutboxModule,
    MediaModule,
    BannedHashesModule,
  ],
  providers: [ModerationService, ModerationDecisionRepository, ModerationQueueRepository],
  exports: [ModerationService, BannedHashesModule],
})
export class ModerationModule {}
