import type { Server } from 'node:http';
import { BadRequestException, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { bringsBody, limitBodyTime } from '@vitrine/runtime';
import { readFormBody } from './form-body';
import { UnexpectedBodyError } from './unexpected-body-error';

import express, { type Request, type RequestHandler, type Response } from 'express';

/** Larger bodies are answered 413; the largest that a request class allows is far below. */
const BODY_LIMIT = '256kb';

/** No request class is nested deeper than a few levels; code that recurs over a body must not run out of stack. */
const MAX_DEPTH = 32;

/**
 * A body is read as JSON also if a client declares no type or another one, as `fetch` does by default: if such a body was
 * left unread, the answer would be 200 and nothing would have changed.
 */
const READ_AS_JSON = /^\s*(?:(?:application\/(?:[\w.-]+\+)?json|text\/plain)\s*)?(?:;|$)/i;

/** Forms, and JSON that is labelled as a form, as by `curl -d`. */
const READ_AS_FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

const isOfType =
  (pattern: RegExp) =>
  ({ headers }: Pick<Request, 'headers'>): boolean =>
    pattern.test(headers['content-type'] ?? '');

const isJson = isOfType(READ_AS_JSON);
const isForm = isOfType(READ_AS_FORM);

/** Methods whose unread body would be a change that isn't made. */
const CHANGING: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** The route reads its body itself. */
export const ReadsOwnBody = Reflector.createDecorator<true>();

/**
 * Reads the JSON or form body of a request, after the guards that may refuse it without its body. Throws the
 * `HttpException` of a body that is unreadable (400), late (408), too large (413) or in an unknown encoding (415).
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  private readonly steps: readonly RequestHandler[];

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly reflector: Reflector,
  ) {
    const server = (): Server => host.httpAdapter.getHttpServer() as Server;
    this.steps = [
      (request, response, next) =>
        limitBodyTime(server(), (one) => isJson(one) || isForm(one))(request, response, next),
      express.json({ limit: BODY_LIMIT, type: (request) => isJson(request as Request) }),
      express.raw({ limit: BODY_LIMIT, type: (request) => isForm(request as Request) }),
    ];
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!bringsBody(request) || this.reflector.get(ReadsOwnBody, context.getHandler())) return true;
    return this.read(request, http.getResponse<Response>());
  }

  private async read(request: Request, response: Response): Promise<boolean> {
    for (const step of this.steps) await this.run(step, request, response);
    if (Buffer.isBuffer(request.body)) request.body = await readFormBody(request.headers, request.body);
    if (isDeeperThan(MAX_DEPTH, request.body)) throw new BadRequestException();
    // A file, for example: a PATCH would change nothing and answer 200.
    if (request.body === undefined && CHANGING.includes(request.method)) throw new UnexpectedBodyError();
    return true;
  }

  /** Runs Express middleware; rejects with the `HttpException` that Nest makes of its error. */
  private run(step: RequestHandler, request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      void step(request, response, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(this.host.httpAdapter.mapException(error) as Error);
      });
    });
  }
}

/** Whether arrays and objects are nested more than `depth` levels; looks no further than that. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(depth - 1, item));
}
