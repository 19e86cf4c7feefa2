import type { ServerResponse } from 'node:http';
import { onRequestEnd } from '@vitrine/runtime';
import type { Pieces } from '@vitrine/storage';

/** How slow the reader of a response may be. */
export interface ReaderPace {
  /** Seconds within which it must read a piece. */
  readonly idleSeconds: number;
  /** Rate to keep while others need its slot; measured for each piece, after `graceSeconds`. */
  readonly minBytesPerSecond: number;
  readonly graceSeconds: number;
  /** Whether others need its slot. */
  isCrowded(): boolean;
}

/** Milliseconds between two checks of a reader that is slower than its rate. */
const LOOK_EVERY_MS = 500;

/** The reader closed the connection before the end of the response. */
export class ReaderGoneError extends Error {
  override readonly name = 'ReaderGoneError';

  constructor() {
    super('The reader closed the connection');
  }
}

/**
 * Sends pieces and ends the response. Each piece is read only after the one before was sent, so a slow reader holds one
 * piece in memory. Throws `ReaderGoneError` if the connection closes first or if the reader is slower than `pace`, and
 * the error of the pieces if reading them fails. In each of these cases the connection is closed.
 */
export async function send(pieces: Pieces, response: ServerResponse, pace: ReaderPace): Promise<void> {
  let isGone = false;
  let onGone = (): void => undefined;
  let slow: NodeJS.Timeout | undefined;
  onRequestEnd(response.req, response, () => {
    isGone = true;
    clearTimeout(slow);
    onGone();
  });
  const write = (piece: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      onGone = () => reject(new ReaderGoneError());
      if (isGone) return onGone();
      // A socket's own timeout would start again with each byte that the reader sends.
      const watch = (): void => {
        const allowedMs = allowedTime(piece.length, pace);
        const lookAfter = (ms: number, elapsedMs: number): void => {
          slow = setTimeout(() => {
            const nowMs = elapsedMs + ms;
            if (nowMs >= pace.idleSeconds * 1000 || pace.isCrowded()) response.destroy();
            else lookAfter(Math.min(LOOK_EVERY_MS, pace.idleSeconds * 1000 - nowMs), nowMs);
          }, ms);
        };
        lookAfter(allowedMs, 0);
      };
      if (response.socket) watch();
      else response.once('socket', watch);
      response.write(piece, (error) => {
        clearTimeout(slow);
        // Node reports no error if the connection was destroyed during the write.
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

/** Milliseconds that a reader may take for so many bytes. */
const allowedTime = (bytes: number, { idleSeconds, minBytesPerSecond, graceSeconds }: ReaderPace): number =>
  1000 * Math.min(idleSeconds, graceSeconds + bytes / minBytesPerSecond);
