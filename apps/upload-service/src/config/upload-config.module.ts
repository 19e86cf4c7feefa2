import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { UploadConfig } from './upload.config';

@Module({ providers: [provideConfig(UploadConfig)], exports: [UploadConfig] })
export class UploadConfigModule {}
