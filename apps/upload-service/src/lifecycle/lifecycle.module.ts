import { Module } from '@nestjs/common';
import { DeletionHold, MediaModule, ModerationModule, VariantRetention } from '@vitrine/domain';
import { provideConfig } from '@vitrine/runtime';
import { ObjectStorage, ScratchFilesSweep, StorageModule } from '@vitrine/storage';
import { CachesModule } from '../caches/caches.module';
import { UploadConfigModule } from '../config/upload-config.module';
import { UploadConfig } from '../config/upload.config';
import { FilesModule } from '../files/files.module';
import { RetentionConfig } from '../files/retention.config';
import { AlternativesMetrics } from './alternatives-metrics';
import { AlternativesWork } from './alternatives-work.service';
import { AlternativesConfig } from './alternatives.config';
import { AlternativesSweep } from './alternatives.sweep';
import { EqualFilesConfig } from './equal-files.config';
import { EqualFilesSweep } from './equal-files.sweep';
import { MediaEventsConsumer } from './media-events.consumer';
import { PendingFilesSweep } from './pending-files.sweep';
import { ProcessorReportsConsumer } from './processor-reports.consumer';
import { PurgeService } from './purge.service';
import { StaleWritesSweep } from './stale-writes.sweep';
import { UploadCountsSweep } from './upload-counts.sweep';
import { VariantRetentionSweep } from './variant-retention.sweep';
import { WaitingMediaMetrics } from './waiting-media-metrics';
import { WaitingMediaSweep } from './waiting-media.sweep';

/** Four times as long as the file host trusts a row (ADR 61). */
const REMOVAL_GRACE_MS = 2000;

/** What happens to media after the upload: their states, clean-up and metrics. */
@Module({
  imports: [UploadConfigModule, FilesModule, CachesModule, MediaModule, ModerationModule, StorageModule],
  controllers: [MediaEventsConsumer, ProcessorReportsConsumer],
  providers: [
    provideConfig(AlternativesConfig),
    AlternativesMetrics,
    AlternativesWork,
    AlternativesSweep,
    WaitingMediaMetrics,
    PurgeService,
    WaitingMediaSweep,
    PendingFilesSweep,
    provideConfig(EqualFilesConfig),
    EqualFilesSweep,
    StaleWritesSweep,
    {
      provide: ScratchFilesSweep,
      inject: [ObjectStorage, UploadConfig],
      useFactory: (storage: ObjectStorage, config: UploadConfig) =>
        new ScratchFilesSweep(storage, config.orphanAgeSeconds, config.cleanupIntervalSeconds),
    },
    UploadCountsSweep,
    {
      provide: VariantRetentionSweep,
      inject: [UploadConfig, RetentionConfig, VariantRetention, DeletionHold, ObjectStorage],
      useFactory: (
        { cleanupIntervalSeconds }: UploadConfig,
        { days }: RetentionConfig,
        retention: VariantRetention,
        hold: DeletionHold,
        storage: ObjectStorage,
      ) =>
        new VariantRetentionSweep(
          { days, intervalSeconds: cleanupIntervalSeconds, graceMs: REMOVAL_GRACE_MS },
          retention,
          hold,
          storage,
        ),
    },
  ],
})
export class LifecycleModule {}
