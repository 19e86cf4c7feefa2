import { applyDecorators, Post, UseInterceptors } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { IdempotencyInterceptor } from './idempotency.interceptor';

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
