import type { AccessRule } from '@vitrine/http';
import type { Method } from './scanned-document';

/** The properties of a route that decide which errors it may answer. */
export interface RouteTraits {
  readonly method: Method;
  readonly access: AccessRule | 'public';
  readonly hasPathParameters: boolean;
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
}

/** The error statuses that a route may answer, besides those that it declares. */
export function errorStatusesOf(traits: RouteTraits): number[] {
  const { method, access, hasPathParameters, hasBody, hasQuery } = traits;
  const statuses = [401, 429, 500, 503];
  if (access !== 'public') statuses.push(403);
  if (hasPathParameters) statuses.push(404);
  // A body is read whether or not the route declares one.
  if (method !== 'get' && method !== 'head') statuses.push(400, 408, 413, 415);
  if (hasBody || hasQuery) statuses.push(422);
  // The Idempotency-Key: still in progress, or used with another request.
  if (method === 'post') statuses.push(409, 422);
  return [...new Set(statuses)].sort((a, b) => a - b);
}
