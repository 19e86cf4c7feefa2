import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type ClientAddresses, UNKNOWN_ADDRESS, readAddress } from './client-address';
import { onRequestEnd } from './requests';

/** Requests of one connection that may wait for their answers. Usual clients send none ahead, or a few. */
const MAX_AHEAD = 64;

/** Chunks of a body that may have any length, and the average length in bytes that more chunks must have. */
const FREE_CHUNKS = 2000;
const BYTES_PER_CHUNK = 32;

/** How long a client is blocked whose connection cost too much. */
const BLOCK_MS = 10_000;
/** Blocked clients that are remembered. */
const MAX_BLOCKED = 10_000;

/**
 * Closes connections whose bytes cost far more to read than to send: a packet of 64 KB contains two thousand requests or
 * ten thousand chunks of a body, so that one connection could occupy a process. Blocks their clients for some seconds,
 * because a new connection costs them nothing.
 */
export class GreedyConnections {
  private readonly ahead = new WeakMap<Socket, number>();
  private readonly blocked = new LRUCache<string, true>({ max: MAX_BLOCKED, ttl: BLOCK_MS });

  constructor(private readonly addresses: ClientAddresses) {}

  /** The client key of a connection; null for a trusted proxy, which represents many clients. */
  holderOf({ remoteAddress = '' }: Socket): string | null {
    return this.addresses.isProxy(remoteAddress)
      ? null
      : (readAddress(remoteAddress) ?? UNKNOWN_ADDRESS).clientKey;
  }

  isBlocked(holder: string | null): boolean {
    return holder !== null && this.blocked.has(holder);
  }

  /** Counts a request. Returns false if its connection is closed now or was before: then nothing may be done for it. */
  mayContinue(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    if (socket.destroyed) return false;
    const ahead = (this.ahead.get(socket) ?? 0) + 1;
    if (ahead > MAX_AHEAD) {
      this.block(socket);
      return false;
    }
    this.ahead.set(socket, ahead);
    onRequestEnd(request, response, () => this.ahead.set(socket, (this.ahead.get(socket) ?? 1) - 1));
    if (request.headers['transfer-encoding'] !== undefined) this.watchChunks(request);
    return true;
  }

  /** Counts chunks before Node makes an event of each, because the events are what costs time. */
  private watchChunks(request: IncomingMessage): void {
    const push = request.push.bind(request);
    let [chunks, bytes] = [0, 0];
    request.push = (chunk: Buffer | null, encoding) => {
      if (chunk === null) return push(chunk, encoding);
      chunks++;
      bytes += chunk.length;
      if (chunks <= FREE_CHUNKS || bytes >= chunks * BYTES_PER_CHUNK) return push(chunk, encoding);
      if (!request.socket.destroyed) this.block(request.socket);
      return false;
    };
  }

  private block(socket: Socket): void {
    const holder = this.holderOf(socket);
    if (holder !== null) this.blocked.set(holder, true);
    socket.destroy();
  }
}
