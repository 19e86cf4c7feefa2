import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import type { ACCESS_EXTENSION, AccessRule, IDEMPOTENT_EXTENSION } from '@vitrine/http';

/** An operation as @nestjs/swagger reads it from a controller, with the extensions that our decorators add. */
export interface ScannedOperation extends OperationObject {
  [ACCESS_EXTENSION]?: AccessRule | 'public';
  [IDEMPOTENT_EXTENSION]?: true;
}

export const METHODS = ['get', 'post', 'patch', 'delete', 'put', 'head', 'options'] as const;
export type Method = (typeof METHODS)[number];

/** One operation of a document, with its path and method. */
export interface Route {
  readonly path: string;
  readonly method: Method;
  readonly operation: ScannedOperation;
}

/** Every operation of a document, path by path. */
export function routesOf(document: Pick<OpenAPIObject, 'paths'>): Route[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}
