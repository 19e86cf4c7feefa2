import { Module } from '@nestjs/common';
import { BannedHashesModule, MediaModule, OutgoingModule, PostsModule, QuotasModule } from '@vitrine/domain';
import { HttpModule } from '@vitrine/http';
import { OutboxModule } from '@vitrine/outbox';
import { StorageModule } from '@vitrine/storage';
import { UploadConfigModule } from '../config/upload-config.module';
import { FileInspector } from '../inspection/file-inspector';
import { UploadController } from './upload.controller';
import { UploadMetrics } from './upload-metrics';
import { DiskReserve } from '../scratch/disk-reserve';
import { RemoteReceiver } from '../receiving/remote-receiver';
import { UploadReceiver } from '../receiving/upload-receiver';
import { Uploads } from './uploads';

/** Uploads: who may send files, how they are received, and how they become media. */
@Module({
  imports: [
    HttpModule,
    UploadConfigModule,
    MediaModule,
    OutgoingModule,
    PostsModule,
    QuotasModule,
    BannedHashesModule,
    OutboxModule,
    StorageModule,
  ],
  controllers: [UploadController],
  providers: [DiskReserve, FileInspector, UploadMetrics, UploadReceiver, RemoteReceiver, Uploads],
  exports: [UploadReceiver, Uploads],
})
export class IntakeModule {}
