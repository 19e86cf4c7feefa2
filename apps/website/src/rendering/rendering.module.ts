import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { OperatorPages } from '../config/operator-pages';
import { AssetManifest } from './asset-manifest';
import { ErrorPagesFilter } from './error-pages.filter';
import { PagesInterceptor } from './pages.interceptor';
import { Renderer } from './renderer';

/** Renders pages from components. */
@Global()
@Module({
  providers: [
    AssetManifest,
    OperatorPages,
    Renderer,
    { provide: APP_FILTER, useClass: ErrorPagesFilter },
    { provide: APP_INTERCEPTOR, useClass: PagesInterceptor },
  ],
  exports: [AssetManifest, OperatorPages, Renderer],
})
export class RenderingModule {}
