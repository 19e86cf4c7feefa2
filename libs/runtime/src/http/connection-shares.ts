import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { GreedyConnections } from './greedy-connections';
import { Shares } from './shares';
import { type PlainAnswer, plainAnswer } from './unreadable-requests';

export interface ConnectionLimits {
  /** Connections of a process. */
  readonly maxConnections: number;
  /** Of one address. */
  readonly maxConnectionsPerAddress: number;
}

type Listener = (this: Server, socket: Socket) => void;

/**
 * Bounds the connections that a server keeps open, in total and per address, idle ones included. A further connection is
 * answered 429, or 503 if all are taken, and closed before anything is read from it; so is a connection of an address that
 * is shut out. A trusted proxy's connections count only towards the total. To be called before other listeners for
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
    const refusal = greedy.isShutOut(holder) ? 'share' : shares.refusalOf(holder);
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
