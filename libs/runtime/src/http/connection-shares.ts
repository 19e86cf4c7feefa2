import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Shares } from '@vitrine/concurrency';
import type { GreedyConnections } from './greedy-connections';
import { type PlainAnswer, plainAnswer } from './unreadable-requests';

export interface ConnectionLimits {
  /** Open connections of the process. */
  readonly maxConnections: number;
  /** Open connections of one client. */
  readonly maxConnectionsPerAddress: number;
}

type Listener = (this: Server, socket: Socket) => void;

/**
 * Limits the connections that a server keeps open, in total and per client, idle ones included. A further connection gets
 * 429, or 503 if all are taken, and is closed before anything is read from it. So is a connection of a client that
 * is blocked. A trusted proxy's connections count only towards the total. Call this before other listeners for
 * connections are added.
 */
export function limitConnections(
  server: Server,
  greedy: GreedyConnections,
  { maxConnections, maxConnectionsPerAddress }: ConnectionLimits,
  answer: PlainAnswer,
): void {
  const shares = new Shares({ limit: maxConnections, each: maxConnectionsPerAddress, leavesRoom: true });
  const listeners = server.listeners('connection') as Listener[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const holder = greedy.holderOf(socket);
    const refusal = greedy.isBlocked(holder) ? 'share' : shares.refusalOf(holder);
    if (refusal) {
      socket.on('error', () => undefined);
      socket.end(plainAnswer(refusal === 'share' ? 429 : 503, answer), () => socket.destroy());
      return;
    }
    const giveBack = shares.take(holder);
    socket.once('close', giveBack);
    for (const listener of listeners) listener.call(server, socket);
  });
}
