import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { bringsBody } from './brings-body';
import { whenOver } from './when-over';

/**
 * The time for a body that is read whole to arrive. Its request holds a place meanwhile, and a client that sends only
 * heads could hold all places.
 */
const BODY_WITHIN_MS = 10_000;

/**
 * Makes Express middleware that answers 408 if the body of a request hasn't come in time, and closes the connection, as
 * Node does with whole requests. `isRead`: whether a request's body is read whole.
 */
export const limitBodyTime =
  (server: Server, isRead: (request: IncomingMessage) => boolean) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (bringsBody(request) && isRead(request)) {
      const late = Object.assign(new Error('The body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      const timer = setTimeout(() => server.emit('clientError', late, request.socket), BODY_WITHIN_MS);
      const stop = (): void => clearTimeout(timer);
      request.once('end', stop);
      whenOver(request, response, stop);
    }
    next();
  };
