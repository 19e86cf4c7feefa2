import { type INestApplicationContext, RequestMethod, type Type, UseInterceptors } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor';

/** Where Nest notes a handler's HTTP method. */
const METHOD_METADATA = 'method';

/** The route reads its body itself, and asks `Idempotency` once it has. */
export const ReadsOwnBody = Reflector.createDecorator<true>();

/**
 * Gives every POST route of the application its interceptor; to be called before the routes are made. A global
 * interceptor would do the same and cost every GET a detour through observables.
 */
export function keepPosts(app: INestApplicationContext): void {
  const scanner = new MetadataScanner();
  const reflector = app.get(Reflector);
  const intercepted = UseInterceptors(app.get(IdempotencyInterceptor));
  for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    const prototype = (metatype as Type<object> | null)?.prototype as object | undefined;
    if (!prototype) continue;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = Object.getOwnPropertyDescriptor(prototype, name);
      if (typeof handler?.value !== 'function') continue;
      const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler.value);
      if (method === RequestMethod.POST && !reflector.get(ReadsOwnBody, handler.value)) {
        intercepted(prototype, name, handler);
      }
    }
  }
}
