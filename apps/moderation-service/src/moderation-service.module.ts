import { Module } from '@nestjs/common';
import { mediaVariantsStored } from '@vitrine/contracts';
import { DatabaseModule, ProcessSettingsModule } from '@vitrine/database';
import { MediaModule, ModerationModule } from '@vitrine/domain';
import { BusWithOutboxModule } from '@vitrine/outbox';
import { RuntimeModule } from '@vitrine/runtime';
import { StorageModule } from '@vitrine/storage';
import { ClassifierModule } from './classifier/classifier.module';
import { AutomaticModerationService } from './moderation/automatic-moderation.service';
import { ModerationConsumer } from './moderation/moderation.consumer';

/** The moderation service: takes events from the bus and records decisions. */
@Module({
  imports: [
    RuntimeModule,
    DatabaseModule.forService('moderation-service'),
    ProcessSettingsModule.forService('moderation-service'),
    BusWithOutboxModule.forRoot({
      service: 'moderation-service',
      consumes: [mediaVariantsStored],
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
