import type { ServerResponse } from 'node:http';
import { whenOver } from '@vitrine/runtime';
import type { Pieces } from '@vitrine/storage';

/** Whoever was sent something has left before its end. */
export class ReaderGoneError extends Error {
  override readonly name = 'ReaderGoneError';

  constructor() {
    super('The reader has left');
  }
}

/**
 * Sends pieces and ends the response: the next is asked for when this process has passed the one before on, so that
 * a slow reader holds one of them here however long its file. Throws `ReaderGoneError` where the connection closes
 * first, or takes nothing for `idleSeconds` while there is something to take; where the pieces fail, their error.
 * Either way the connection is broken off then.
 */
export async function send(pieces: Pieces, response: ServerResponse, idleSeconds: number): Promise<void> {
  let isGone = false;
  let onGone = (): void => undefined;
  let idle: NodeJS.Timeout | undefined;
  whenOver(response.req, response, () => {
    isGone = true;
    clearTimeout(idle);
    onGone();
  });
  const write = (piece: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      onGone = () => reject(new ReaderGoneError());
      if (isGone) return onGone();
      // A socket's own timeout begins anew with whatever the reader says meanwhile.
      const watch = (): void => void (idle = setTimeout(() => response.destroy(), idleSeconds * 1000));
      if (response.socket) watch();
      else response.once('socket', watch);
      response.write(piece, (error) => {
        clearTimeout(idle);
        // Node says nothing of an error where the connection was destroyed amid the write.
        if (error || response.req.socket.destroyed) onGone();
        else resolve();
      });
    });
  try {
    for await (const piece of pieces) await write(piece);
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}
