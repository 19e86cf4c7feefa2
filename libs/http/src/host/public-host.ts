import type { Server } from 'node:http';
import type { INestApplicationContext, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { NotFoundError } from '@vitrine/domain';
import {
  type FrontHandler,
  guardServer,
  Health,
  HttpObserver,
  isMisspelt,
  matchExactly,
  pathBegins,
  type PlainAnswer,
  PublicServerConfig,
  PublicUrlsConfig,
  type RewriteTarget,
} from '@vitrine/runtime';
import { RequestClients } from '../clients/request-clients';
import { HttpConfig } from '../config/http.config';
import { Overload, type RequestLane } from '../overload/overload';
import { RATE_LIMIT_HEADERS } from '../throttling/request-throttler.guard';

/** What every answer of a public host carries, files and unreadable requests too, unless its route says otherwise. */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Tells browsers to use TLS from now on, but only if the public addresses are `https:`. */
export const transportSecurity = ({ api }: PublicUrlsConfig): Readonly<Record<string, string>> =>
  api.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};

import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

const EXPOSED = [...RATE_LIMIT_HEADERS, 'Retry-After', 'Location', 'X-Request-Id', 'Idempotent-Replayed'];

/** A part of a host that is not served by the framework, which only answers its preflights. */
export interface PlainPart {
  /** The prefix of its paths, such as `/f/`. Its paths are keys of stored files. */
  readonly start: string;
  /** The headers of all its answers in place of or besides the usual ones. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Answers its requests, which are neither identified nor counted, within the limits of their lanes. It must observe them
   * (`HttpObserver`), and pass on preflights and all requests of other paths.
   */
  readonly handler: (app: INestApplicationContext) => FrontHandler;
}

export interface PublicHostOptions {
  readonly plain?: PlainPart;
  /** Bounds of the requests that are processed at a time; by default MAX_CONCURRENT_REQUESTS for all together. */
  readonly lanes?: (app: INestApplicationContext) => readonly RequestLane[];
  /**
   * Replaces the targets of requests before anything else sees them, for example to take a token out of a path, and may
   * record credentials (`recordCredential`) and the form of errors (`recordErrorShape`).
   */
  readonly rewrite?: (app: INestApplicationContext) => RewriteTarget;
  /** The public addresses of this host. */
  readonly addresses: (urls: PublicUrlsConfig) => readonly string[];
}

/**
 * Builds the Nest application of a public host whose module imports `HttpModule`: request ids, CORS, security headers,
 * load shedding. Limits, access rules, JSON bodies, validation and the rendering of errors come with the module.
 */
export async function buildPublicHost(
  module: Type<unknown>,
  logger: LoggerService,
  { plain, lanes = oneLane, rewrite, addresses }: PublicHostOptions,
): Promise<NestExpressApplication> {
  const adapter = new ExpressAdapter(matchExactly(express()));
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    logger,
    bodyParser: false,
  });
  const server: Server = app.getHttpServer();
  const clients = app.get(RequestClients);
  const connections = app.get(PublicServerConfig);

  app.set('trust proxy', connections.trustedProxies);
  app.disable('x-powered-by');
  // Answers may not be stored, so no client can ask whether one is still valid.
  app.disable('etag');
  app.use(app.get(HttpObserver).middleware((request) => clients.isSite(request)));
  app.enableCors({
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    // All requested headers are allowed, because no answer depends on credentials that a browser adds by itself.
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
    preflightContinue: true,
  });
  const urls = app.get(PublicUrlsConfig);
  // Answers are data for programs: nothing in them runs, is framed or cached unless a route allows it.
  const headers = { ...SECURITY_HEADERS, ...transportSecurity(urls) };
  app.use(setHeaders(headers, plain));
  app.use(refuseMisspelt);

  guardServer(server, {
    addresses: clients.addresses,
    connections,
    urls: addresses(urls),
    answer: inJson(headers),
    rewrite: acceptFinalSlash(plain?.start, rewrite?.(app)),
    then: [app.get(Overload).limit(lanes(app), headers), ...(plain ? [plain.handler(app)] : [])],
  });
  app.get(Health).require('http', () => {
    if (!server.listening) throw new Error('The public port is not open');
  });
  return app;
}

/** Removes one slash at the end of a path, except below the prefix `exact`. */
const acceptFinalSlash =
  (exact: string | undefined, rewrite: RewriteTarget = (url) => url): RewriteTarget =>
  (sent, request) => {
    const url = rewrite(sent, request);
    const end = url.includes('?') ? url.indexOf('?') : url.length;
    const path = url.slice(0, end);
    if (
      !path.endsWith('/') ||
      path.endsWith('//') ||
      path === '/' ||
      (exact !== undefined && path.startsWith(exact))
    )
      return url;
    return `${path.slice(0, -1)}${url.slice(end)}`;
  };

const oneLane = (app: INestApplicationContext): readonly RequestLane[] => {
  const { maxConcurrentRequests: limit, maxConcurrentRequestsPerAddress: perAddress } = app.get(HttpConfig);
  return [{ start: '', limit, waiting: limit, perAddress }];
};

/** Renders the answers to requests that do not reach the application. */
const inJson =
  (headers: Readonly<Record<string, string>>): PlainAnswer =>
  (message) => ({
    headers: {
      'Access-Control-Allow-Origin': '*',
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify({ message }),
  });

function setHeaders(usual: Readonly<Record<string, string>>, plain: PlainPart | undefined): RequestHandler {
  const others = Object.entries(usual);
  const ofPlainPart = Object.entries({ ...usual, ...plain?.headers });
  return (request: Request, response: Response, next: NextFunction): void => {
    const headers = plain && pathBegins(request, plain.start) ? ofPlainPart : others;
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** A path in another spelling is answered 404, even if the router would match it. */
function refuseMisspelt(request: Request, _response: Response, next: NextFunction): void {
  // `OPTIONS *` is a question about the host as a whole (RFC 9110, 9.3.7).
  if (request.url === '*') request.url = '/';
  next(isMisspelt(request) ? new NotFoundError() : undefined);
}
