import { Module } from '@nestjs/common';
import { CountersModule } from '@vitrine/counters';
import { MediaModule } from '@vitrine/domain';
import { HttpModule } from '@vitrine/http';
import { provideConfig } from '@vitrine/runtime';
import { StorageModule } from '@vitrine/storage';
import { UploadConfigModule } from '../config/upload-config.module';
import { FileFinder } from './file-finder';
import { FileHandler } from './file-handler';
import { FileSender } from './file-sender';
import { FilesService } from './files.service';
import { HotObjects } from './hot-objects';
import { MissLimit } from './miss-limit';
import { RetentionConfig } from './retention.config';
import { SendingProxy } from './sending-proxy';
import { VariantHolds } from './variant-holds';
import { VariantRemakes } from './variant-remakes';
import { VariantUses, VariantUsesSweep } from './variant-uses';

/** Serves the files of media. */
@Module({
  imports: [CountersModule, HttpModule, UploadConfigModule, MediaModule, StorageModule],
  providers: [
    FileFinder,
    FileHandler,
    FilesService,
    FileSender,
    HotObjects,
    MissLimit,
    SendingProxy,
    VariantHolds,
    provideConfig(RetentionConfig),
    VariantRemakes,
    VariantUses,
    VariantUsesSweep,
  ],
  exports: [FileHandler, FilesService, RetentionConfig, VariantRemakes],
})
export class FilesModule {}
