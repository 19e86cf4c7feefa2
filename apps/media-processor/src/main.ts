import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { mediaUploaded } from '@vitrine/contracts';
import { EventsTransportStrategy } from '@vitrine/messaging';
import { runService } from '@vitrine/runtime';
import { MediaProcessorConfig } from './media-processor.config';
import { MediaProcessorModule } from './media-processor.module';

void runService('media-processor', {
  module: MediaProcessorModule,
  build: (logger) =>
    NestFactory.createMicroservice<AsyncMicroserviceOptions>(MediaProcessorModule, {
      logger,
      abortOnError: false,
      inject: [EventsTransportStrategy, MediaProcessorConfig],
      useFactory: (strategy: EventsTransportStrategy, { concurrency }: MediaProcessorConfig) => ({
        strategy: strategy.withPrefetch(mediaUploaded, concurrency),
      }),
    }),
  start: (app) => app.listen(),
});
