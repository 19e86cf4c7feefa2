import { Module } from '@nestjs/common';
import { GuestUploadsConfig } from '@vitrine/domain';
import { provideConfig } from '@vitrine/runtime';
import { CachesConfig } from './caches.config';
import { UploadConfig } from './upload.config';

@Module({
  providers: [provideConfig(UploadConfig), provideConfig(CachesConfig), provideConfig(GuestUploadsConfig)],
  exports: [UploadConfig, CachesConfig, GuestUploadsConfig],
})
export class UploadConfigModule {}
