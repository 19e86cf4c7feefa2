import { type ArgumentsHost, Catch, type ExceptionFilter, Logger, NotFoundException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LoadShedError } from '@vitrine/domain';
import { errorMessage } from '@vitrine/runtime';
import type { Request, Response } from 'express';
import { RATE_LIMIT_HEADERS } from './admissions';
import { answerTo, type ErrorAnswer, methodNotAllowed } from './error-answer';

/** What Express's router keeps of each path that is mounted; `match` is true where the layer takes the path. */
interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Renders every error of a public host, and logs those that someone must act on. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const answer = this.answerTo(error, request);
    this.log(error, answer);
    if (response.headersSent) {
      // Half an answer is out: cutting it short is the only way left to say that it failed.
      response.destroy();
      return;
    }
    if (error instanceof LoadShedError) for (const name of RATE_LIMIT_HEADERS) response.removeHeader(name);
    response
      .status(answer.status)
      .set({ 'Cache-Control': 'no-store', ...answer.headers })
      .json(answer.body);
  }

  private answerTo(error: unknown, request: Request): ErrorAnswer {
    if (error instanceof NotFoundException) {
      const allowed = this.methodsOf(request.path);
      if (allowed.length > 0) return methodNotAllowed(request.method, allowed);
    }
    return answerTo(error);
  }

  /** The methods of every route that takes this path; a refused one is thus told from an unknown path. */
  private methodsOf(path: string): readonly string[] {
    const { router } = this.host.httpAdapter.getInstance<{ router: { stack: readonly RouteLayer[] } }>();
    const methods = new Set<string>();
    for (const layer of router.stack) {
      if (!layer.route || !layer.match(path)) continue;
      for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
    }
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }

  private log(error: unknown, { status }: ErrorAnswer): void {
    if (status === 500) this.logger.error(error);
    else if (status === 503) this.logger.warn(`Unavailable: ${errorMessage(error)}`);
  }
}
