import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/messaging';
import { MediaModule } from '../media/media.module';
import { BannedHashesModule } from './banned-hashes.module';
import { DecisionLogModule } from './decision-log.module';
import { ModerationQueueEntity } from './moderation-queue.entity';
import { ModerationQueueRepository } from './moderation-queue.repository';
import { ModerationService } from './moderation.service';

/** Decisions on media, the moderators' queue, and the banned hashes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ModerationQueueEntity]),
    OutboxModule,
    MediaModule,
    BannedHashesModule,
    DecisionLogModule,
  ],
  providers: [ModerationService, ModerationQueueRepository],
  exports: [ModerationService, BannedHashesModule, DecisionLogModule],
})
export class ModerationModule {}
