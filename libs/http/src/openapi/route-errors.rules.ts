import type { AccessRule } from '../access';
import type { Method } from './scanned-document';

/** What decides which errors a route may answer. */
export interface RouteTraits {
  readonly method: Method;
  readonly access: AccessRule | 'public';
  readonly hasPathParameters: boolean;
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
}

/** The error statuses that a route may answer, besides those that it declares as its own. */
export function errorStatusesOf(traits: RouteTraits): number[] {
  const { method, access, hasPathParameters, hasBody, hasQuery } = traits;
  const statuses = [401, 429, 500, 503];
  if (access !== 'public') statuses.push(403);
  if (hasPathParameters) statuses.push(404);
  // Bodies are read before routes are looked for, so one that nobody asked for is refused too.
  if (method !== 'get' && method !== 'head') statuses.push(400, 408, 413, 415);
  if (hasBody || hasQuery) statuses.push(422);
  // The Idempotency-Key: still in progress, or used with another request.
  if (method === 'post') statuses.push(409, 422);
  return [...new Set(statuses)].sort((a, b) => a - b);
}
