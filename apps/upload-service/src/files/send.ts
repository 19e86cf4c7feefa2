import type { ServerResponse } from 'node:http';
import { whenOver } from '@vitrine/runtime';
import type { Pieces } from '@vitrine/storage';

/** How long a reader may take to read what it is sent. */
export interface ReaderPace {
  /** Seconds within which it must read something. */
  readonly idleSeconds: number;
  /** Rate to keep while others need its place; measured on each piece, from `graceSeconds` on. */
  readonly minBytesPerSecond: number;
  readonly graceSeconds: number;
  /** Whether others need its place. */
  isCrowded(): boolean;
}

/** Milliseconds between two checks of a reader that is slower than its rate. */
const LOOK_EVERY_MS = 500;

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
 * first, or is too slow for `pace` while there is something to take; where the pieces fail, their error.
 * Either way the connection is broken off then.
 */
export async function send(pieces: Pieces, response: ServerResponse, pace: ReaderPace): Promise<void> {
  let isGone = false;
  let onGone = (): void => undefined;
  let slow: NodeJS.Timeout | undefined;
  whenOver(response.req, response, () => {
    isGone = true;
    clearTimeout(slow);
    onGone();
  });
  const write = (piece: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      onGone = () => reject(new ReaderGoneError());
      if (isGone) return onGone();
      // A socket's own timeout begins anew with whatever the reader says meanwhile.
      const watch = (): void => {
        const patienceMs = patienceWith(piece.length, pace);
        const lookAfter = (ms: number, elapsedMs: number): void => {
          slow = setTimeout(() => {
            const nowMs = elapsedMs + ms;
            if (nowMs >= pace.idleSeconds * 1000 || pace.isCrowded()) response.destroy();
            else lookAfter(Math.min(LOOK_EVERY_MS, pace.idleSeconds * 1000 - nowMs), nowMs);
          }, ms);
        };
        lookAfter(patienceMs, 0);
      };
      if (response.socket) watch();
      else response.once('socket', watch);
      response.write(piece, (error) => {
        clearTimeout(slow);
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

/** Milliseconds after which a reader that hasn't read so many bytes is slower than its rate. */
const patienceWith = (bytes: number, { idleSeconds, minBytesPerSecond, graceSeconds }: ReaderPace): number =>
  1000 * Math.min(idleSeconds, graceSeconds + bytes / minBytesPerSecond);
