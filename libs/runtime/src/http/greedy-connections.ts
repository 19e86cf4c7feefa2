import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type ClientAddresses, GONE, readAddress } from './client-address';
import { whenOver } from './when-over';

/** Requests of one connection that wait for their answers. Clients send none ahead of the answers, or a few. */
const MOST_AHEAD = 64;

/** Pieces of a chunked body that may be of any length, and the bytes that more of them must have on average. */
const FREE_PIECES = 2000;
const BYTES_A_PIECE = 32;

/** How long an address is refused whose connection asked for too much. */
const SHUT_OUT_MS = 10_000;
/** Addresses that are remembered. */
const MAX_SHUT_OUT = 10_000;

/**
 * Breaks off connections whose bytes cost far more to read than to send: a packet of 64 KB holds two thousand requests, or
 * ten thousand pieces of a body, and one connection could keep a process from everything else. Their addresses are shut
 * out for some seconds, since a new connection costs them nothing.
 */
export class GreedyConnections {
  private readonly ahead = new WeakMap<Socket, number>();
  private readonly shutOut = new LRUCache<string, true>({ max: MAX_SHUT_OUT, ttl: SHUT_OUT_MS });

  constructor(private readonly addresses: ClientAddresses) {}

  /** Whom a connection counts for; null for a trusted proxy, which stands for many. */
  holderOf({ remoteAddress = '' }: Socket): string | null {
    return this.addresses.isProxy(remoteAddress) ? null : (readAddress(remoteAddress) ?? GONE).bucket;
  }

  isShutOut(holder: string | null): boolean {
    return holder !== null && this.shutOut.has(holder);
  }

  /** Counts a request; false where its connection is, or was, broken off, and nothing is to be done for it. */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    if (socket.destroyed) return false;
    const ahead = (this.ahead.get(socket) ?? 0) + 1;
    if (ahead > MOST_AHEAD) {
      this.breakOff(socket);
      return false;
    }
    this.ahead.set(socket, ahead);
    whenOver(request, response, () => this.ahead.set(socket, (this.ahead.get(socket) ?? 1) - 1));
    if (request.headers['transfer-encoding'] !== undefined) this.watchPieces(request);
    return true;
  }

  /** Looks at each piece before it becomes an event, which is what makes it costly. */
  private watchPieces(request: IncomingMessage): void {
    const push = request.push.bind(request);
    let [pieces, bytes] = [0, 0];
    request.push = (piece: Buffer | null, encoding) => {
      if (piece === null) return push(piece, encoding);
      pieces++;
      bytes += piece.length;
      if (pieces <= FREE_PIECES || bytes >= pieces * BYTES_A_PIECE) return push(piece, encoding);
      if (!request.socket.destroyed) this.breakOff(request.socket);
      return false;
    };
  }

  private breakOff(socket: Socket): void {
    const holder = this.holderOf(socket);
    if (holder !== null) this.shutOut.set(holder, true);
    socket.destroy();
  }
}
