import { Module } from '@nestjs/common';
import { UploadController } from './upload.controller';

/** Files to the upload host, and the posts that are made of them. */
@Module({ controllers: [UploadController] })
export class UploadModule {}
