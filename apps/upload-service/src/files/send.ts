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

/** Bytes of a piece that are written at once while others need the slot. */
const CROWDED_BYTES = 1 << 16;

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
  const reader = new PacedReader(response, pace);
  try {
    for await (const piece of pieces) {
      await new Promise<void>((resolve, reject) => {
        reader.write(piece, (isGone) => (isGone ? reject(new ReaderGoneError()) : resolve()));
      });
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** As `send`, for bytes in memory, of which it hands over `pieceBytes` at a time. It doesn't say how the response ends. */
export function sendBytes(
  bytes: Uint8Array,
  pieceBytes: number,
  response: ServerResponse,
  pace: ReaderPace,
): void {
  const reader = new PacedReader(response, pace);
  let at = 0;
  const next = (): void => {
    if (at >= bytes.length) return void response.end();
    reader.write(bytes.subarray(at, (at += pieceBytes)), (isGone) => {
      if (isGone) response.destroy();
      else next();
    });
  };
  next();
}

/** Writes pieces of a response, and closes the connection of a reader that is slower than its pace. */
class PacedReader {
  private isGone = false;
  private settle: ((isGone: boolean) => void) | undefined;
  private slow: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly pace: ReaderPace,
  ) {
    onRequestEnd(response.req, response, () => {
      this.isGone = true;
      clearTimeout(this.slow);
      this.settle?.(true);
    });
  }

  /**
   * Calls `done` once: when the reader has taken the piece, or has gone. Write the next piece only after that. While others
   * need its slot, a large piece is written in parts, because a reader may take more time for more bytes.
   */
  write(piece: Uint8Array, done: (isGone: boolean) => void): void {
    if (this.isGone) return done(true);
    if (piece.length <= CROWDED_BYTES || !this.pace.isCrowded()) return this.writePart(piece, done);
    this.writePart(piece.subarray(0, CROWDED_BYTES), (isGone) => {
      if (isGone) done(true);
      else this.write(piece.subarray(CROWDED_BYTES), done);
    });
  }

  private writePart(piece: Uint8Array, done: (isGone: boolean) => void): void {
    const { response } = this;
    this.settle = (isGone) => {
      this.settle = undefined;
      done(isGone);
    };
    // A socket's own timeout would start again with each byte that the reader sends.
    if (response.socket) this.watch(piece.length);
    else response.once('socket', () => this.watch(piece.length));
    response.write(piece, (error) => {
      clearTimeout(this.slow);
      // Node reports no error if the connection was destroyed during the write.
      this.settle?.(Boolean(error) || response.req.socket.destroyed);
    });
  }

  private watch(bytes: number): void {
    const { idleSeconds, isCrowded } = this.pace;
    const lookAfter = (ms: number, elapsedMs: number): void => {
      this.slow = setTimeout(() => {
        const nowMs = elapsedMs + ms;
        if (nowMs >= idleSeconds * 1000 || isCrowded()) this.response.destroy();
        else lookAfter(Math.min(LOOK_EVERY_MS, idleSeconds * 1000 - nowMs), nowMs);
      }, ms);
    };
    lookAfter(allowedTime(bytes, this.pace), 0);
  }
}

/** Milliseconds that a reader may take for this number of bytes. */
const allowedTime = (bytes: number, { idleSeconds, minBytesPerSecond, graceSeconds }: ReaderPace): number =>
  1000 * Math.min(idleSeconds, graceSeconds + bytes / minBytesPerSecond);
