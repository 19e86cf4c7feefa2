import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Calls back once: when the answer has ended, or its connection has; at once where that has happened before. Where a
 * client sends several requests at once and hangs up, Node tells nothing to the answers whose turn had not come: their
 * `close` never happens.
 */
export function whenOver({ socket }: IncomingMessage, response: ServerResponse, tell: () => void): void {
  if (response.closed || socket.destroyed) return tell();
  if (response.socket) return void response.once('close', tell);
  const end = (): void => {
    response.off('close', end);
    socket.off('close', end);
    tell();
  };
  response.once('close', end);
  // As many may wait on one connection as it brings.
  socket.setMaxListeners(0).once('close', end);
}
