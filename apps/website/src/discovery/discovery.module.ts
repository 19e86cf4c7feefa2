import { Module } from '@nestjs/common';
import { DiscoveryController } from './discovery.controller';
import { IconsController } from './icons.controller';
import { SitemapController } from './sitemap.controller';

/** Icons, the web manifest, robots.txt and the sitemap. */
@Module({ controllers: [DiscoveryController, IconsController, SitemapController] })
export class DiscoveryModule {}
