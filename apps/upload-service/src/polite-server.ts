import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** How long a client that was refused may go on sending before it is hung up on. */
const LINGER_MS = 3000;

/**
 * Makes a server fit for large bodies. `Expect: 100-continue` is left to the route, so that a client which is
 * refused need not send its body. After an early answer the rest of the body is read and dropped for a while:
 * hanging up on a client that still sends would lose the answer on its way.
 */
export function bePolite(server: Server, bodySeconds: number): void {
  server.requestTimeout = bodySeconds * 1000 + LINGER_MS;
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (!request.complete) linger(request);
    });
  });
}

function linger(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
