import { type ArgumentsHost, Catch, type ExceptionFilter, Logger, NotFoundException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LoadShedError } from '@vitrine/domain';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Request, Response } from 'express';
import { API_PREFIX } from '../config/api-prefix';
import { RATE_LIMIT_HEADERS, RequestThrottlerGuard } from '../throttling/request-throttler.guard';
import { answerTo, type ErrorAnswer, methodNotAllowed } from './error-answer';
import { sendError } from './send-error';

/** The path of media on both hosts: the API lists them, the upload host takes new ones. */
const MEDIA = `/${API_PREFIX}/media`;
const MEDIA_ITEM = new RegExp(`^${MEDIA}/[^/]+$`);

/** What Express's router keeps for each mounted path; `match` tells whether the layer takes a path. */
interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Renders every error of a public host, and logs those that someone must act on. Counts requests that reached no guard. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly throttler: RequestThrottlerGuard,
    private readonly urls: PublicUrlsConfig,
  ) {}

  /** Errors that are thrown ahead of the guards come here uncounted, such as those of paths without a route. */
  catch(error: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const render = (one: unknown): void => this.render(one, request, http.getResponse<Response>());
    if (this.throttler.isDone(request)) return render(error);
    this.throttler.countUnrouted(context).then(() => render(error), render);
  }

  private render(error: unknown, request: Request, response: Response): void {
    if (error instanceof LoadShedError && !response.headersSent)
      for (const name of RATE_LIMIT_HEADERS) response.removeHeader(name);
    sendError(error, this.answerTo(error, request), response, this.logger);
  }

  private answerTo(error: unknown, request: Request): ErrorAnswer {
    if (error instanceof NotFoundException) {
      const allowed = this.methodsOf(request.path);
      const hint = this.hint(request);
      if (allowed.length > 0) return methodNotAllowed(request.method, allowed, hint);
      if (hint !== undefined) return methodNotAllowed(request.method, ['OPTIONS'], hint);
    }
    return answerTo(error);
  }

  /**
   * The address of the host that serves a request about media, if this host doesn't: many generated clients know only one
   * address. The answer is not a redirect, because most programs drop `Authorization` when a redirect leads to another host.
   */
  private hint({ method, path }: Request): string | undefined {
    if (path !== MEDIA && !MEDIA_ITEM.test(path)) return undefined;
    const isUploadHost = this.methodsOf(MEDIA).includes('POST');
    if (isUploadHost) {
      return `This host only accepts new files, by POST. Read, change and delete media at ${this.urls.api}/media.`;
    }
    return method === 'POST' && path === MEDIA ? `Upload files to ${this.urls.upload}.` : undefined;
  }

  /** The methods of every route that takes this path; none for an unknown path. OPTIONS is a route of every path. */
  private methodsOf(path: string): readonly string[] {
    const { router } = this.host.httpAdapter.getInstance<{ router: { stack: readonly RouteLayer[] } }>();
    const methods = new Set<string>();
    for (const layer of router.stack) {
      if (!layer.route || !layer.match(path)) continue;
      for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
    }
    methods.delete('OPTIONS');
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }
}
