import { Module } from '@nestjs/common';
import { BannedHashesModule, MediaModule } from '@vitrine/domain';
import { HttpModule, IdempotencyModule } from '@vitrine/http';
import { StorageModule } from '@vitrine/storage';
import { UploadConfigModule } from '../upload-config.module';
import { AdmissionDesk } from './admission-desk';
import { FileInspector } from './file-inspector';
import { IntakeService } from './intake.service';
import { UploadController } from './upload.controller';
import { UploadMetrics } from './upload-metrics';
import { UploadReceiver } from './upload-receiver';
import { UploaderPolicy } from './uploader-policy';

/** Files in. */
@Module({
  imports: [
    HttpModule,
    UploadConfigModule,
    IdempotencyModule,
    MediaModule,
    BannedHashesModule,
    StorageModule,
  ],
  controllers: [UploadController],
  providers: [AdmissionDesk, FileInspector, IntakeService, UploaderPolicy, UploadMetrics, UploadReceiver],
})
export class IntakeModule {}
