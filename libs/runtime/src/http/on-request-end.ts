import type { IncomingMessage, ServerResponse } from 'node:http';

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
