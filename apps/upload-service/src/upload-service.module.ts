import { Module } from '@nestjs/common';
import {
  mediaAlternativesMade,
  mediaDeleted,
  mediaProcessingFailed,
  mediaOverran,
  mediaProgressed,
  mediaVariantsStored,
  mediaVariantRemade,
  mediaWithdrawn,
  processorReported,
  userModerated,
} from '@vitrine/contracts';
import { DatabaseModule, ProcessSettingsModule } from '@vitrine/database';
import { HttpModule } from '@vitrine/http';
import { BusWithOutboxModule } from '@vitrine/outbox';
import { RuntimeModule } from '@vitrine/runtime';
import { CachesModule } from './caches/caches.module';
import { DialectsModule } from './dialects/dialects.module';
import { FilesModule } from './files/files.module';
import { IntakeModule } from './intake/intake.module';
import { LifecycleModule } from './lifecycle/lifecycle.module';
import { UploadConfigModule } from './config/upload-config.module';

/** Accepts uploads, serves files, and tracks the technical states of media. */
@Module({
  imports: [
    RuntimeModule,
    DatabaseModule.forService('upload-service'),
    ProcessSettingsModule.forService('upload-service'),
    HttpModule,
    BusWithOutboxModule.forRoot({
      service: 'upload-service',
      consumes: [
        mediaVariantsStored,
        mediaProcessingFailed,
        mediaOverran,
        mediaProgressed,
        mediaVariantRemade,
        mediaAlternativesMade,
        mediaWithdrawn,
        mediaDeleted,
        userModerated,
        processorReported,
      ],
    }),
    UploadConfigModule,
    IntakeModule,
    FilesModule,
    CachesModule,
    DialectsModule,
    LifecycleModule,
  ],
})
export class UploadServiceModule {}
