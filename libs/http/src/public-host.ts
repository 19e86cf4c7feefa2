import type { IncomingMessage, Server } from 'node:http';
import {
  BadRequestException,
  type INestApplicationContext,
  type LoggerService,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { NotFoundError } from '@vitrine/domain';
import {
  bringsBody,
  guardServer,
  Health,
  HttpObserver,
  isMisspelt,
  limitBodyTime,
  pathBegins,
  type PlainAnswer,
  PortInUseError,
  PublicServerConfig,
  PublicUrlsConfig,
} from '@vitrine/runtime';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { Admissions } from './admissions';
import { refuseDeepBody } from './deep-body';
import { HttpConfig } from './http.config';
import { keepPosts } from './idempotency/keep-posts';
import { type Lane, Overload } from './overload';
import { RequestClients } from './request-clients';
import { SECURITY_HEADERS } from './security-headers';

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
  /^\s*(?:(?:application\/(?:[\w.-]+\+)?json|text\/plain|application\/x-www-form-urlencoded)\s*)?(?:;|$)/i;

const CALLED_JSON = /^\s*application\/json\s*(?:;|$)/i;

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
  /**
   * Beginnings of paths that are neither counted nor authenticated, e.g. `/f/`, each with the headers that its
   * answers carry instead of the usual ones.
   */
  readonly exempt?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Read as JSON what is called JSON and nothing else: routes read their own bodies. */
  readonly readsOwnBodies?: boolean;
  /** Bounds of the requests at work; MAX_CONCURRENT_REQUESTS for all together where absent. */
  readonly lanes?: (app: INestApplicationContext) => readonly Lane[];
  /** The public addresses of this host. */
  readonly addresses: (urls: PublicUrlsConfig) => readonly string[];
}

/**
 * Builds the Nest application of a public host whose module imports `HttpModule`: request ids, CORS, security
 * headers, admission, JSON bodies. Errors, access rules and validation come with the module.
 */
export async function buildPublicHost(
  module: Type<unknown>,
  logger: LoggerService,
  { exempt = {}, readsOwnBodies = false, lanes = oneLane, addresses }: PublicHostOptions,
): Promise<NestExpressApplication> {
  const adapter = new ExpressAdapter(matchingExactly());
  const app = await NestFactory.create<NestExpressApplication>(module, adapter, {
    logger,
    bodyParser: false,
  });
  const isExempt = (request: Request): boolean =>
    Object.keys(exempt).some((start) => pathBegins(request, start));
  const server: Server = app.getHttpServer();
  const clients = app.get(RequestClients);
  const connections = app.get(PublicServerConfig);

  app.set('trust proxy', connections.trustedProxies);
  app.disable('x-powered-by');
  // Nothing that is answered here may be stored, so nobody could ask whether it is still the same.
  app.disable('etag');
  const admissions = app.get(Admissions);
  app.use(app.get(HttpObserver).middleware((request) => clients.isSite(request)));
  app.enableCors({
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
    preflightContinue: true,
  });
  const urls = app.get(PublicUrlsConfig);
  const headers = securityHeaders(urls);
  app.use(setHeaders(headers, exempt));
  app.use((request: Request, response: Response, next: NextFunction) =>
    (isExempt(request) ? admissions.exemptMiddleware : admissions.middleware)(request, response, next),
  );
  app.use(refuseMisspelt);
  app.use(answerPreflight);
  const bodies = readsOwnBodies ? CALLED_JSON : READ_AS_JSON;
  const isRead = ({ headers }: IncomingMessage): boolean => bodies.test(headers['content-type'] ?? '');
  app.use(limitBodyTime(server, isRead));
  app.useBodyParser('json', { limit: JSON_LIMIT, type: isRead });
  app.use(refuseDeepBody);
  app.use(refuseUnreadChange);
  keepPosts(app);

  app.get(Overload).protect(server, lanes(app), headers);
  guardServer(server, {
    addresses: clients.addresses,
    connections,
    urls: addresses(urls),
    answer: inJson(headers),
  });
  app.get(Health).require('http', () => {
    if (!server.listening) throw new Error('The public port is not open');
  });
  return app;
}

const oneLane = (app: INestApplicationContext): readonly Lane[] => {
  const { maxConcurrentRequests: limit, maxConcurrentRequestsPerAddress: perAddress } = app.get(HttpConfig);
  return [{ start: '', limit, waiting: limit, perAddress }];
};

/** Answers in JSON where a request doesn't reach the application. */
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

/**
 * An Express application for which `/API/v1/posts` and `/api/v1/posts/` differ from `/api/v1/posts`. A router takes its
 * settings when it is first used, and Nest's adapter uses it at once, so they are set here.
 */
const matchingExactly = (): Express => express().enable('case sensitive routing').enable('strict routing');

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

/**
 * Answers are data for programs: nothing in them runs, is framed or cached unless a route says so. Whoever has come
 * by TLS once is to come by TLS; that is said only where the public addresses are `https:`.
 */
function securityHeaders({ api }: PublicUrlsConfig): Readonly<Record<string, string>> {
  return {
    ...SECURITY_HEADERS,
    ...(api.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

function setHeaders(
  usual: Readonly<Record<string, string>>,
  exempt: NonNullable<PublicHostOptions['exempt']>,
): RequestHandler {
  const others = Object.entries(exempt).map(
    ([start, headers]) => [start, Object.entries({ ...usual, ...headers })] as const,
  );
  const rest = Object.entries(usual);
  return (request: Request, response: Response, next: NextFunction): void => {
    const [, headers] = others.find(([start]) => pathBegins(request, start)) ?? [undefined, rest];
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Counted as any other request, and answered 404, even if the router would match its path. */
function refuseMisspelt(request: Request, _response: Response, next: NextFunction): void {
  next(isMisspelt(request) ? new NotFoundError() : undefined);
}

/** Files, say: a PATCH would change nothing and answer 200. A POST is told what it lacks. */
function refuseUnreadChange(request: Request, _response: Response, next: NextFunction): void {
  const { method, body } = request;
  next(
    method === 'PATCH' && bringsBody(request) && body === undefined ? new BadRequestException() : undefined,
  );
}

function answerPreflight(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'OPTIONS') response.status(204).end();
  else next();
}
