import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { handlesSecrets } from '../access/access';
import { Idempotency } from './idempotency';
import { canonicalJson, requestDigest } from './idempotency.rules';
import { ApiExtension } from '@nestjs/swagger';

/** Handles a POST with an `Idempotency-Key`. Runs after the guards and before the rules of the body's fields. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = this.idempotency.keyOf(request);
    if (!key) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    const keyed = {
      digest: requestDigest(request.method, request.originalUrl, canonicalJson(request.body)),
      secretive: handlesSecrets(this.reflector, context),
    };
    return from(
      this.idempotency.respond(response, key, keyed, () =>
        lastValueFrom(next.handle(), { defaultValue: undefined }),
      ),
    );
  }
}

/** The extension by which the OpenAPI document knows that a route accepts an `Idempotency-Key`. */
export const IDEMPOTENT_EXTENSION = 'x-idempotent';

/**
 * A POST route that accepts an `Idempotency-Key`, as every POST of the API does. The interceptor is on these routes only:
 * a global one would send every GET through observables.
 */
export const IdempotentPost = (path?: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    UseInterceptors(IdempotencyInterceptor),
    ApiExtension(IDEMPOTENT_EXTENSION, true),
  );
