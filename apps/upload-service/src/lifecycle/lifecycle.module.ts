import { Module } from '@nestjs/common';
import { MediaModule } from '@vitrine/domain';
import { StorageModule } from '@vitrine/storage';
import { UploadConfigModule } from '../upload-config.module';
import { MediaEventsController } from './media-events.controller';
import { OrphanObjectsSweep } from './orphan-objects.sweep';
import { PurgeService } from './purge.service';
import { ScratchFilesSweep } from './scratch-files.sweep';
import { UploadCountsSweep } from './upload-counts.sweep';
import { WaitingMediaSweep } from './waiting-media.sweep';

/** What happens to media after their upload. */
@Module({
  imports: [UploadConfigModule, MediaModule, StorageModule],
  controllers: [MediaEventsController],
  providers: [PurgeService, WaitingMediaSweep, OrphanObjectsSweep, ScratchFilesSweep, UploadCountsSweep],
})
export class LifecycleModule {}
