import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * An id that a client or proxy may choose: enough for UUIDs and trace ids, without characters that could forge a log
 * line.
 */
const REQUEST_ID = /^[A-Za-z0-9._:-]{8,128}$/;

/** Returns the id of a request: the valid one that it came with, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}

/** Whether the headers of a request announce a body. Node marks a request without one as complete only after its handler. */
export const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The headers by which browsers mark a prefetch (Fetch, 3.10 `Sec-Purpose`; `Purpose` is its older form). */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose'];

/** Whether a request counts as a view: `HEAD`, and a prefetch or prerendering of a browser, do not. */
export const isView = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'GET' && !PURPOSE_HEADERS.some((name) => saysPrefetch(headers[name]));

/** `prefetch`, by itself or among other items and parameters, such as `prefetch;prerender`. */
const saysPrefetch = (value: string | string[] | undefined): boolean =>
  String(value ?? '')
    .toLowerCase()
    .split(/[;,]/)
    .some((item) => item.trim() === 'prefetch');

/**
 * Calls `onEnd` once: when the answer or its connection has ended, or immediately if it already has. If a client sends
 * several requests at the same time and closes the connection, Node emits no `close` on the answers that had not yet begun.
 */
export function onRequestEnd({ socket }: IncomingMessage, response: ServerResponse, onEnd: () => void): void {
  if (response.closed || socket.destroyed) return onEnd();
  if (response.socket) return void response.once('close', onEnd);
  const end = (): void => {
    response.off('close', end);
    socket.off('close', end);
    onEnd();
  };
  response.once('close', end);
  // Any number of requests may wait on one connection.
  socket.setMaxListeners(0).once('close', end);
}

/** What handlers know about a request, for metrics, log lines and spans. */
interface Description {
  route?: string;
  caller?: string;
}

const descriptions = new WeakMap<IncomingMessage, Description>();

/** Sets the route pattern of a request that no route of the framework answers, e.g. `/assets/*`. */
export const nameRoute = (request: IncomingMessage, route: string): void => describe(request, { route });

/** Sets the kind of caller that a request has, e.g. `session`; never who it is. */
export const nameCaller = (request: IncomingMessage, caller: string): void => describe(request, { caller });

export const descriptionOf = (request: IncomingMessage): Description => descriptions.get(request) ?? {};

function describe(request: IncomingMessage, facts: Description): void {
  descriptions.set(request, { ...descriptions.get(request), ...facts });
}
