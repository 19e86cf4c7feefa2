import type { Server } from 'node:http';
import { type INestApplicationContext, type LoggerService, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import {
  ClientAddresses,
  guardServer,
  Health,
  HttpObserver,
  isMisspelt,
  limitBodyTime,
  listenPublicly,
  matchExactly,
  nameRoute,
  type PlainAnswer,
  PublicServerConfig,
} from '@vitrine/runtime';
import compression from 'compression';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { SHARE_PATH } from '../links/paths';
import { ASSETS_FOLDER, PREVIOUS_ASSETS_FOLDER } from '../rendering/asset-manifest';
import { securityHeaders } from '../rendering/security-headers';
import { Visits } from '../visits/visits';
import { WebsiteConfig } from '../config/website.config';
import { WebsiteModule } from './website.module';

/** The longest form is an edited post with its description and its 50 media. */
const FORM_LIMIT = '256kb';
/** The path of the API at its usual address. */
const API_PATH = '/api/v1';

/** Builds the website's application: pages, forms, assets, security headers, error pages. */
export async function buildSite(logger: LoggerService): Promise<NestExpressApplication> {
  const adapter = new ExpressAdapter(matchExactly(express()));
  const app = await NestFactory.create<NestExpressApplication>(WebsiteModule, adapter, {
    logger,
    bodyParser: false,
  });
  const config = app.get(WebsiteConfig);
  const server: Server = app.getHttpServer();
  const connections = app.get(PublicServerConfig);
  app.set('trust proxy', connections.trustedProxies);
  app.disable('x-powered-by');
  // Each page contains new form tokens, so an ETag would never match.
  app.disable('etag');
  app.use(app.get(HttpObserver).middleware());
  const headers = securityHeaders(config);
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.set(headers);
    next();
  });
  app.use(API_PATH, redirectToApi(config));
  // The service worker of the upload page usually answers this path.
  app.use(SHARE_PATH, redirectShared);
  app.use(compression());
  const visits = app.get(Visits);
  app.use(rejectMisspelledPaths(visits.middleware));
  app.use('/assets', prepareAssets);
  for (const folder of [ASSETS_FOLDER, PREVIOUS_ASSETS_FOLDER]) {
    app.useStaticAssets(folder, { prefix: '/assets/', index: false, immutable: true, maxAge: '1y' });
  }
  app.use(visits.middleware);
  app.use(limitBodyTime(server, () => true));
  app.useBodyParser('urlencoded', { extended: false, limit: FORM_LIMIT });
  guardServer(server, {
    addresses: new ClientAddresses(connections.trustedProxies),
    connections,
    urls: [config.site],
    answer: plainTextAnswer(headers),
    inTurns: true,
  });
  app.get(Health).require('http', () => {
    if (!server.listening) throw new Error('The public port is not open');
  });
  return app;
}

/** Opens the public port. Throws `PortInUseError` with the name of the setting if the port is in use. */
export async function listenForVisitors(app: INestApplicationContext): Promise<void> {
  await listenPublicly(app, app.get(WebsiteConfig).port, 'SITE_PORT');
}

/** The answer to requests that don't reach the pages. */
const plainTextAnswer =
  (headers: Readonly<Record<string, string>>): PlainAnswer =>
  (message) => ({
    headers: { ...headers, 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' },
    body: `${message}\n`,
  });

/** Answers 404 for a path that is spelled differently from the site's links, even if the router would match it. */
const rejectMisspelledPaths =
  (beginVisit: RequestHandler): RequestHandler =>
  (request, response, next) => {
    if (!isMisspelt(request)) return next();
    void beginVisit(request, response, () => next(new NotFoundException()));
  };

/**
 * Programs that expect the API below the site's address are redirected to it, with method and body. If this is the API's
 * address, requests for it should never reach the site, and another redirection would bring them back.
 */
const redirectToApi =
  ({ api, site }: WebsiteConfig): RequestHandler =>
  (request, response, next) => {
    if (api === site + API_PATH) return next();
    nameRoute(request, `${API_PATH}/*`);
    response
      .set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
      .redirect(308, api + request.originalUrl.slice(API_PATH.length));
  };

/** Leads to the upload page, with the advice to choose the files there: the site itself receives no files. */
function redirectShared(request: Request, response: Response, next: NextFunction): void {
  if (request.path !== '/' || request.method !== 'POST') return next();
  nameRoute(request, SHARE_PATH);
  response.redirect(303, '/upload?shared=failed');
}

/** Two assets need additional headers. */
function prepareAssets(request: Request, response: Response, next: NextFunction): void {
  nameRoute(request, '/assets/*');
  // `/e/<slug>` also loads its style in sandboxed frames of other sites, which have no origin.
  if (request.path.startsWith('/embed-')) response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (request.path.startsWith('/share-worker-')) response.set('Service-Worker-Allowed', SHARE_PATH);
  next();
}
