import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { bringsBody, onRequestEnd } from './requests';

/**
 * A body that is read as a whole must arrive within this time. Its request holds a place until then, so a client that
 * sends only headers could hold all places.
 */
const BODY_WITHIN_MS = 10_000;

/**
 * Makes Express middleware that answers 408 and closes the connection if the body of a request hasn't arrived in time, as
 * Node does for whole requests. `isRead`: whether the body of a request is read as a whole.
 */
export const limitBodyTime =
  (server: Server, isRead: (request: IncomingMessage) => boolean) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (bringsBody(request) && isRead(request)) {
      const late = Object.assign(new Error('The body did not arrive in time'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      const timer = setTimeout(() => server.emit('clientError', late, request.socket), BODY_WITHIN_MS);
      const stop = (): void => clearTimeout(timer);
      request.once('end', stop);
      onRequestEnd(request, response, stop);
    }
    next();
  };
