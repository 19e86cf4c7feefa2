import type { IncomingMessage, Server } from 'node:http';
import {
  BadRequestException,
  type INestApplicationContext,
  type LoggerService,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Health, HttpObserver, PortInUseError, PublicUrlsConfig, whenOver } from '@vitrine/runtime';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Admissions } from './admissions';
import { refuseDeepBody } from './deep-body';
import { HttpConfig } from './http.config';
import { keepPosts } from './idempotency/keep-posts';
import { type Lane, Overload } from './overload';
import { SECURITY_HEADERS } from './security-headers';
import { answerUnreadable } from './unreadable-requests';

/** Every path of the API begins with it. */
export const API_PREFIX = 'api/v1';

/** Larger JSON bodies are answered 413; the largest that a request class allows is far below. */
const JSON_LIMIT = '256kb';

/**
 * A body that is read whole has this long to come: its request holds a place (`Overload`) meanwhile, and whoever sent
 * heads and no bodies would hold them all.
 */
const BODY_WITHIN_MS = 10_000;

/** Longer than the idle time of the usual load balancers (60 s), which must be the ones to hang up. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Bodies are JSON, also where a client calls them nothing, or something else, as `curl -d` and `fetch` do unless
 * told: to leave one unread would be to answer 200 and change nothing.
 */
const READ_AS_JSON =
  /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/plain|application\/x-www-form-urlencoded|)\s*(?:;|$)/i;

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
}

/**
 * Builds the Nest application of a public host whose module imports `HttpModule`: request ids, CORS, security
 * headers, admission, JSON bodies. Errors, access rules and validation come with the module.
 */
export async function buildPublicHost(
  module: Type<unknown>,
  logger: LoggerService,
  { exempt = {}, readsOwnBodies = false, lanes = oneLane }: PublicHostOptions = {},
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, { logger, bodyParser: false });
  const unlessExempt =
    (handler: RequestHandler): RequestHandler =>
    (request, response, next) =>
      Object.keys(exempt).some((start) => request.path.startsWith(start))
        ? next()
        : void handler(request, response, next);

  app.set('trust proxy', app.get(HttpConfig).trustedProxies);
  app.disable('x-powered-by');
  // Nothing that is answered here may be stored, so nobody could ask whether it is still the same.
  app.disable('etag');
  const admissions = app.get(Admissions);
  app.use(app.get(HttpObserver).middleware((request) => admissions.isSite(request)));
  app.enableCors({
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
    preflightContinue: true,
  });
  const headers = securityHeaders(app.get(PublicUrlsConfig));
  app.use(setHeaders(headers, exempt));
  app.use(unlessExempt(admissions.middleware));
  app.use(answerPreflight);
  const bodies = readsOwnBodies ? CALLED_JSON : READ_AS_JSON;
  const isRead = ({ headers }: IncomingMessage): boolean => bodies.test(headers['content-type'] ?? '');
  const server: Server = app.getHttpServer();
  app.use(hurryBody(server, isRead));
  app.useBodyParser('json', { limit: JSON_LIMIT, type: isRead });
  app.use(refuseDeepBody);
  app.use(refuseUnreadChange);
  keepPosts(app);

  app.get(Overload).protect(server, lanes(app), headers);
  answerUnreadable(server, headers);
  app.get(Health).require('http', () => {
    if (!server.listening) throw new Error('The public port is not open');
  });
  return app;
}

const oneLane = (app: INestApplicationContext): readonly Lane[] => {
  const { maxConcurrentRequests: limit } = app.get(HttpConfig);
  return [{ start: '', limit, waiting: limit }];
};

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
    const [, headers] = others.find(([start]) => request.path.startsWith(start)) ?? [undefined, rest];
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Files, say: a PATCH would change nothing and answer 200. A POST is told what it lacks. */
function refuseUnreadChange(request: Request, _response: Response, next: NextFunction): void {
  const { method, body } = request;
  next(method === 'PATCH' && hasBody(request) && body === undefined ? new BadRequestException() : undefined);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Hangs up, with 408, on a client whose body hasn't come in time, as Node does for whole requests. */
function hurryBody(server: Server, isRead: (request: IncomingMessage) => boolean): RequestHandler {
  return (request, response, next) => {
    if (hasBody(request) && isRead(request)) {
      const late = Object.assign(new Error('The body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      const timer = setTimeout(() => server.emit('clientError', late, request.socket), BODY_WITHIN_MS);
      const stop = (): void => clearTimeout(timer);
      request.once('end', stop);
      whenOver(request, response, stop);
    }
    next();
  };
}

function answerPreflight(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'OPTIONS') response.status(204).end();
  else next();
}
