import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { AssetManifest } from './asset-manifest';
import { ErrorPagesFilter } from './error-pages.filter';
import { PagesInterceptor } from './pages.interceptor';
import { Renderer } from './renderer';

/** Renders pages from components. */
@Global()
@Module({
  providers: [
    AssetManifest,
    Renderer,
    { provide: APP_FILTER, useClass: ErrorPagesFilter },
    { provide: APP_INTERCEPTOR, useClass: PagesInterceptor },
  ],
  exports: [AssetManifest, Renderer],
})
export class RenderingModule {}
