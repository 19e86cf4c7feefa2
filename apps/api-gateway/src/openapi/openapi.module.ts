import { Module } from '@nestjs/common';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { ApiDescription } from './api-description';
import { OpenApiController } from './openapi.controller';

@Module({ controllers: [OpenApiController], providers: [ApiDescription, provideConfig(PublicUrlsConfig)] })
export class OpenApiModule {}
