import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import type { ACCESS_EXTENSION, AccessRule } from '../access';

/** An operation as @nestjs/swagger reads it off a controller, with the rule that `@Public` or `@Authenticated` left. */
export interface ScannedOperation extends OperationObject {
  [ACCESS_EXTENSION]?: AccessRule | 'public';
}

export const METHODS = ['get', 'post', 'patch', 'delete', 'put', 'head', 'options'] as const;
export type Method = (typeof METHODS)[number];

/** One operation of a document and where it is. */
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
