import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { MediaModule } from '@vitrine/domain';
import { StorageModule } from '@vitrine/storage';
import type { NextFunction, Request, Response } from 'express';
import { FilesController } from './files.controller';
import { FilesService } from './files.service';

/** Strangers' files: nothing in them runs, whatever they pretend to be, and any page may show them. */
export function fileHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
  });
  next();
}

/** Files out. */
@Module({ imports: [MediaModule, StorageModule], controllers: [FilesController], providers: [FilesService] })
export class FilesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(fileHeaders).forRoutes('f/*path');
  }
}
