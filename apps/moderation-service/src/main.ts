import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { EventsTransportStrategy } from '@vitrine/messaging';
import { runService } from '@vitrine/runtime';
import { ModerationServiceModule } from './moderation-service.module';

void runService('moderation-service', {
  module: ModerationServiceModule,
  build: (logger) =>
    NestFactory.createMicroservice<AsyncMicroserviceOptions>(ModerationServiceModule, {
      logger,
      abortOnError: false,
      inject: [EventsTransportStrategy],
      useFactory: (strategy: EventsTransportStrategy) => ({ strategy }),
    }),
  start: (app) => app.listen(),
});
