import { Module } from '@nestjs/common';
import { DiscoveryController } from './discovery.controller';
import { IconsController } from './icons.controller';
import { SitemapController } from './sitemap.controller';

/** What programs look for on a site: icons, a manifest, rules and a map for crawlers. */
@Module({ controllers: [DiscoveryController, IconsController, SitemapController] })
export class DiscoveryModule {}
