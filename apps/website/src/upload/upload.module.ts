import { Module } from '@nestjs/common';
import { UploadController } from './upload.controller';

/** The upload page, and posts from uploaded files. */
@Module({ controllers: [UploadController] })
export class UploadModule {}
