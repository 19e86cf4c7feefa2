import { access, constants } from 'node:fs/promises';
import { Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import {
  mediaAlternativesRequested,
  mediaLongProcessingRequested,
  mediaProcessingRequested,
  mediaVariantRequested,
  processorReported,
} from '@vitrine/contracts';
import { EventPublisher, MessagingModule } from '@vitrine/messaging';
import { Health, provideConfig, RuntimeModule, SettingsReportSweep } from '@vitrine/runtime';
import { ObjectStorage, ScratchFilesSweep, StorageModule } from '@vitrine/storage';
import { createTransport } from './bus/create-transport';
import { MediaProcessorConfig } from './config/media-processor.config';
import { VideoToolsConfig } from './config/video-tools.config';
import { AlternativesService } from './processing/alternatives.service';
import { Decoding } from './processing/decoding';
import { OriginalJobs } from './processing/original-jobs';
import { ProcessingMetrics } from './processing/processing-metrics';
import { ProcessingRequestsConsumer } from './processing/processing-requests.consumer';
import { ProcessingService } from './processing/processing.service';
import { RemakingService } from './processing/remaking.service';

/** Longer than the longest job. Anything older was left by a killed process. */
const SCRATCH_AGE_SECONDS = 3600;
const SWEEP_SECONDS = 1800;

/** Makes variants of originals; reaches only the bus and the storage. */
@Module({
  imports: [
    RuntimeModule,
    DiscoveryModule,
    StorageModule,
    MessagingModule.forRoot({
      service: 'media-processor',
      consumes: [
        mediaProcessingRequested,
        mediaLongProcessingRequested,
        mediaVariantRequested,
        mediaAlternativesRequested,
      ],
      createTransport,
    }),
  ],
  controllers: [ProcessingRequestsConsumer],
  providers: [
    provideConfig(MediaProcessorConfig),
    provideConfig(VideoToolsConfig),
    AlternativesService,
    Decoding,
    OriginalJobs,
    ProcessingMetrics,
    ProcessingService,
    RemakingService,
    {
      provide: ScratchFilesSweep,
      inject: [ObjectStorage],
      useFactory: (storage: ObjectStorage) =>
        new ScratchFilesSweep(storage, SCRATCH_AGE_SECONDS, SWEEP_SECONDS),
    },
    {
      provide: SettingsReportSweep,
      inject: [DiscoveryService, EventPublisher],
      useFactory: (discovery: DiscoveryService, publisher: EventPublisher) =>
        new SettingsReportSweep(discovery, (report) => publisher.publish(processorReported, report)),
    },
  ],
})
export class MediaProcessorModule implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly storage: ObjectStorage,
    private readonly decoding: Decoding,
  ) {}

  onModuleInit(): void {
    this.health.require('storage', async () => access(await this.storage.scratchDirectory(), constants.W_OK));
    this.health.require('decoders', () => this.decoding.check());
  }
}
