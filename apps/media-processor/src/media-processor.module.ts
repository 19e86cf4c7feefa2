import { access, constants } from 'node:fs/promises';
import { Module, type OnModuleInit } from '@nestjs/common';
import { mediaLongProcessingRequested, mediaProcessingRequested, mediaUploaded } from '@vitrine/contracts';
import { MessagingModule } from '@vitrine/messaging';
import { Health, provideConfig, RuntimeModule } from '@vitrine/runtime';
import { ObjectStorage, ScratchFilesSweep, StorageModule } from '@vitrine/storage';
import { MediaProcessorConfig } from './media-processor.config';
import { Decoding } from './processing/decoding';
import { ProcessingRequestsConsumer } from './processing/processing-requests.consumer';
import { ProcessingMetrics } from './processing/processing-metrics';
import { ProcessingService } from './processing/processing.service';

/** More than the longest job takes: what is older was left by a process that was killed. */
const SCRATCH_AGE_SECONDS = 3600;
const SWEEP_SECONDS = 1800;

/** Bytes in, variants out; reaches the bus and the storage, and nothing else. */
@Module({
  imports: [
    RuntimeModule,
    StorageModule,
    MessagingModule.forRoot({
      service: 'media-processor',
      consumes: [mediaProcessingRequested, mediaLongProcessingRequested, mediaUploaded],
    }),
  ],
  controllers: [ProcessingRequestsConsumer],
  providers: [
    provideConfig(MediaProcessorConfig),
    Decoding,
    ProcessingMetrics,
    ProcessingService,
    {
      provide: ScratchFilesSweep,
      inject: [ObjectStorage],
      useFactory: (storage: ObjectStorage) =>
        new ScratchFilesSweep(storage, SCRATCH_AGE_SECONDS, SWEEP_SECONDS),
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
