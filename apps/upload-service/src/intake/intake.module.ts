import { Module } from '@nestjs/common';
import { BannedHashesModule, MediaModule, PostsModule, QuotasModule } from '@vitrine/domain';
import { HttpModule } from '@vitrine/http';
import { OutboxModule } from '@vitrine/outbox';
import { StorageModule } from '@vitrine/storage';
import { UploadConfigModule } from '../config/upload-config.module';
import { FileInspector } from '../inspection/file-inspector';
import { IntakeService } from './intake.service';
import { UploadController } from './upload.controller';
import { UploadMetrics } from './upload-metrics';
import { DiskReserve } from '../scratch/disk-reserve';
import { UploadReceiver } from '../receiving/upload-receiver';
import { UploadPipeline } from './upload-pipeline';
import { UploadRoom } from './upload-room';
import { UploadService } from './upload.service';
import { UploadSlots } from './upload-slots';
import { UploaderPolicy } from './uploader-policy';

/** Uploads: who may send files, how they are received, and how they become media. */
@Module({
  imports: [
    HttpModule,
    UploadConfigModule,
    MediaModule,
    PostsModule,
    QuotasModule,
    BannedHashesModule,
    OutboxModule,
    StorageModule,
  ],
  controllers: [UploadController],
  providers: [
    DiskReserve,
    FileInspector,
    IntakeService,
    UploaderPolicy,
    UploadMetrics,
    UploadPipeline,
    UploadReceiver,
    UploadRoom,
    UploadService,
    UploadSlots,
  ],
  exports: [UploadPipeline, UploadReceiver, UploaderPolicy],
})
export class IntakeModule {}
