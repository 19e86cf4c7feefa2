import { Module } from '@nestjs/common';
import { GuestUploadsConfig } from '@vitrine/domain';
import { provideConfig } from '@vitrine/runtime';
import { UploadConfig } from './upload.config';

@Module({
  providers: [provideConfig(UploadConfig), provideConfig(GuestUploadsConfig)],
  exports: [UploadConfig, GuestUploadsConfig],
})
export class UploadConfigModule {}
