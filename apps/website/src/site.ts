import type { Server } from 'node:http';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Health, HttpObserver, nameRoute, PortInUseError } from '@vitrine/runtime';
import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';
import { ASSETS_FOLDER, PREVIOUS_ASSETS_FOLDER } from './rendering/asset-manifest';
import { securityHeaders } from './rendering/security-headers';
import { Visits } from './visits/visits';
import { WebsiteConfig } from './website.config';
import { WebsiteModule } from './website.module';

/** The longest form is an edited post with its description and its 50 media. */
const FORM_LIMIT = '256kb';
/** Longer than the idle time of the usual load balancers (60 s), which must be the ones to hang up. */
const KEEP_ALIVE_MS = 65_000;

/** Builds the website's application: pages, forms, assets, security headers, error pages. */
export async function buildSite(logger: LoggerService): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(WebsiteModule, { logger, bodyParser: false });
  const config = app.get(WebsiteConfig);
  app.set('trust proxy', config.trustedProxies);
  app.disable('x-powered-by');
  // No page is twice the same: each form in it has a token of its own.
  app.disable('etag');
  app.use(app.get(HttpObserver).middleware());
  app.use(securityHeaders(config));
  app.use(compression());
  app.use('/assets', nameAssets);
  for (const folder of [ASSETS_FOLDER, PREVIOUS_ASSETS_FOLDER]) {
    app.useStaticAssets(folder, { prefix: '/assets/', index: false, immutable: true, maxAge: '1y' });
  }
  app.use(app.get(Visits).middleware);
  app.useBodyParser('urlencoded', { extended: false, limit: FORM_LIMIT });
  const server: Server = app.getHttpServer();
  app.get(Health).require('http', () => {
    if (!server.listening) throw new Error('The public port is not open');
  });
  return app;
}

/** Opens the public port. Throws `PortInUseError` naming the setting that moves it. */
export async function listenForVisitors(app: INestApplicationContext): Promise<void> {
  const { port } = app.get(WebsiteConfig);
  try {
    const server: Server = await (app as NestExpressApplication).listen(port);
    server.keepAliveTimeout = KEEP_ALIVE_MS;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new PortInUseError(port, 'SITE_PORT')
      : error;
  }
}

function nameAssets(request: Request, _response: Response, next: NextFunction): void {
  nameRoute(request, '/assets/*');
  next();
}
