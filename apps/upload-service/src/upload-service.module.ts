import { Module } from '@nestjs/common';
import { mediaDeleted, mediaFailed, mediaOverran, mediaProcessed } from '@vitrine/contracts';
import { DatabaseModule } from '@vitrine/database';
import { HttpModule } from '@vitrine/http';
import { MessagingModule } from '@vitrine/messaging';
import { RuntimeModule } from '@vitrine/runtime';
import { FilesModule } from './files/files.module';
import { IntakeModule } from './intake/intake.module';
import { LifecycleModule } from './lifecycle/lifecycle.module';
import { UploadConfigModule } from './upload-config.module';

/** Files in, files out, and the technical life of media. */
@Module({
  imports: [
    RuntimeModule,
    DatabaseModule.forService('upload-service'),
    HttpModule,
    MessagingModule.forRoot({
      service: 'upload-service',
      consumes: [mediaProcessed, mediaFailed, mediaOverran, mediaDeleted],
      relay: true,
    }),
    UploadConfigModule,
    IntakeModule,
    FilesModule,
    LifecycleModule,
  ],
})
export class UploadServiceModule {}
