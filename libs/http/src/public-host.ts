import type { IncomingMessage, Server } from 'node:http';
import {
  BadRequestException,
  type INestApplicationContext,
  type LoggerService,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Health, PortInUseError, requestContext } from '@vitrine/runtime';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Admissions } from './admissions';
import { refuseDeepBody } from './deep-body';
import { HttpConfig } from './http.config';
import { HttpMetrics } from './http-metrics';
import { keepPosts } from './idempotency/keep-posts';
import { answerUnreadable } from './unreadable-requests';

/** Every path of the API begins with it. */
export const API_PREFIX = 'api/v1';

/** Larger JSON bodies are answered 413; the largest that a request class allows is far below. */
const JSON_LIMIT = '256kb';

/** Longer than the idle time of the usual load balancers (60 s), which must be the ones to hang up. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Bodies are JSON, also where a client calls them nothing, or something else, as `curl -d` and `fetch` do unless
 * told: to leave one unread would be to answer 200 and change nothing.
 */
const READ_AS_JSON =
  /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/plain|application\/x-www-form-urlencoded|)\s*(?:;|$)/i;

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Location',
  'X-Request-Id',
  'Idempotent-Replayed',
];

export interface PublicHostOptions {
  /** Beginnings of paths that are neither counted nor authenticated and bring their own headers, e.g. `/f/`. */
  readonly exempt?: readonly string[];
  /** Read as JSON what is called JSON and nothing else: routes read their own bodies. */
  readonly readsOwnBodies?: boolean;
}

/**
 * Builds the Nest application of a public host whose module imports `HttpModule`: request ids, CORS, security
 * headers, admission, JSON bodies. Errors, access rules and validation come with the module.
 */
export async function buildPublicHost(
  module: Type<unknown>,
  logger: LoggerService,
  { exempt = [], readsOwnBodies = false }: PublicHostOptions = {},
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, { logger, bodyParser: false });
  const unlessExempt =
    (handler: RequestHandler): RequestHandler =>
    (request, response, next) =>
      exempt.some((start) => request.path.startsWith(start)) ? next() : void handler(request, response, next);

  app.set('trust proxy', app.get(HttpConfig).trustedProxies);
  app.disable('x-powered-by');
  // Nothing that is answered here may be stored, so nobody could ask whether it is still the same.
  app.disable('etag');
  app.use(app.get(HttpMetrics).middleware);
  app.use(requestContext);
  app.enableCors({
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
    preflightContinue: true,
  });
  app.use(unlessExempt(securityHeaders));
  app.use(unlessExempt(app.get(Admissions).middleware));
  app.use(answerPreflight);
  app.useBodyParser('json', {
    limit: JSON_LIMIT,
    ...(!readsOwnBodies && {
      type: ({ headers }: IncomingMessage) => READ_AS_JSON.test(headers['content-type'] ?? ''),
    }),
  });
  app.use(refuseDeepBody);
  app.use(refuseUnreadChange);
  keepPosts(app);

  const server: Server = app.getHttpServer();
  answerUnreadable(server);
  app.get(Health).require('http', () => {
    if (!server.listening) throw new Error('The public port is not open');
  });
  return app;
}

/** Opens the public port. Throws `PortInUseError` naming the setting that moves it. */
export async function listenPublicly(
  app: INestApplicationContext,
  port: number,
  setting: string,
): Promise<void> {
  const host = app as NestExpressApplication;
  try {
    const server: Server = await host.listen(port);
    server.keepAliveTimeout = KEEP_ALIVE_MS;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new PortInUseError(port, setting) : error;
  }
}

/** Answers are data for programs: nothing in them runs, is framed or cached unless a route says so. */
function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  next();
}

const SECURITY_HEADERS = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
] as const;

/** Files, say: a PATCH would change nothing and answer 200. A POST is told what it lacks. */
function refuseUnreadChange(request: Request, _response: Response, next: NextFunction): void {
  const { method, headers, body } = request;
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  next(method === 'PATCH' && isSent && body === undefined ? new BadRequestException() : undefined);
}

function answerPreflight(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'OPTIONS') response.status(204).end();
  else next();
}
