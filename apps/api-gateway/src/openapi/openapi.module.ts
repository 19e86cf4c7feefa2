import { Module } from '@nestjs/common';
import { ApiDescription } from './api-description';
import { OpenApiController } from './openapi.controller';

@Module({ controllers: [OpenApiController], providers: [ApiDescription] })
export class OpenApiModule {}
