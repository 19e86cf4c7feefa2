import { Module } from '@nestjs/common';
import { mediaFailed, mediaProcessed } from '@vitrine/contracts';
import { DatabaseModule } from '@vitrine/database';
import { MediaModule, ModerationModule } from '@vitrine/domain';
import { MessagingModule } from '@vitrine/messaging';
import { RuntimeModule } from '@vitrine/runtime';
import { StorageModule } from '@vitrine/storage';
import { ClassifierModule } from './classifier/classifier.module';
import { AutomaticModerationService } from './moderation/automatic-moderation.service';
import { ModerationConsumer } from './moderation/moderation.consumer';

/** The moderation process: from the bus to a decision. */
@Module({
  imports: [
    RuntimeModule,
    DatabaseModule.forService('moderation-service'),
    MessagingModule.forRoot({
      service: 'moderation-service',
      consumes: [mediaProcessed, mediaFailed],
      relay: true,
    }),
    StorageModule,
    MediaModule,
    ModerationModule,
    ClassifierModule,
  ],
  controllers: [ModerationConsumer],
  providers: [AutomaticModerationService],
})
export class ModerationServiceModule {}
