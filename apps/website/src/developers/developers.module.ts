import { Module } from '@nestjs/common';
import { ApiDocuments } from './api-documents';
import { DevelopersController } from './developers.controller';

/** The API's documentation. */
@Module({ controllers: [DevelopersController], providers: [ApiDocuments] })
export class DevelopersModule {}
