import { Module } from '@nestjs/common';
import { provideConfig } from './provide-config';
import { PublicUrlsConfig } from './public-urls.config';

/** The public addresses of the site. */
@Module({ providers: [provideConfig(PublicUrlsConfig)], exports: [PublicUrlsConfig] })
export class PublicUrlsModule {}
