import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import {
  mediaLongProcessingRequested,
  mediaProcessingRequested,
  mediaVariantRequested,
} from '@vitrine/contracts';
import { EventsTransportStrategy } from '@vitrine/messaging';
import { runService } from '@vitrine/runtime';
import { MediaProcessorConfig } from './config/media-processor.config';
import { longPlaces } from './decoders/decoder-pool';
import { MediaProcessorModule } from './media-processor.module';

void runService('media-processor', {
  module: MediaProcessorModule,
  build: (logger) =>
    NestFactory.createMicroservice<AsyncMicroserviceOptions>(MediaProcessorModule, {
      logger,
      abortOnError: false,
      inject: [EventsTransportStrategy, MediaProcessorConfig],
      useFactory: (strategy: EventsTransportStrategy, { workers }: MediaProcessorConfig) => ({
        strategy: strategy
          .withPrefetch(mediaProcessingRequested, workers)
          .withPrefetch(mediaVariantRequested, workers)
          .withPrefetch(mediaLongProcessingRequested, longPlaces(workers)),
      }),
    }),
  start: (app) => app.listen(),
});
