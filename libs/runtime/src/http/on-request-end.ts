import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Calls `tell` once: when the answer or its connection has ended, or at once if it already has. If a client sends
 * several requests at once and closes the connection, Node emits no `close` on the answers that had not yet begun.
 */
export function onRequestEnd({ socket }: IncomingMessage, response: ServerResponse, tell: () => void): void {
  if (response.closed || socket.destroyed) return tell();
  if (response.socket) return void response.once('close', tell);
  const end = (): void => {
    response.off('close', end);
    socket.off('close', end);
    tell();
  };
  response.once('close', end);
  // Any number of requests may wait on one connection.
  socket.setMaxListeners(0).once('close', end);
}
