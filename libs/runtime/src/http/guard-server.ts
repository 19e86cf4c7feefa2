import type { RequestListener, Server } from 'node:http';
import type { ClientAddresses } from './client-address';
import { type ConnectionLimits, limitConnections } from './connection-shares';
import { FairTurns } from './fair-turns';
import { GreedyConnections } from './greedy-connections';
import { normaliseTarget } from './request-target';
import { answerPlainly, answerUnreadable, type PlainAnswer } from './unreadable-requests';

/** The head of a request must be there within this time. */
const HEADERS_TIMEOUT_MS = 20_000;

export interface ServerGuard {
  readonly addresses: ClientAddresses;
  readonly connections: ConnectionLimits;
  /** The public addresses of this host. */
  readonly urls: readonly string[];
  readonly answer: PlainAnswer;
  /** Whether addresses take turns; for a server that bounds the requests at work in no other way. */
  readonly inTurns?: boolean;
}

/**
 * Runs before all handlers of the connections and requests of a public server: bounds connections and the requests on each,
 * answers requests that can't be read, and gives each request one normalised target. To be called after the request
 * handlers were added.
 */
export function guardServer(
  server: Server,
  { addresses, connections, urls, answer, inTurns = false }: ServerGuard,
): void {
  const hosts = new Set(urls.map((url) => new URL(url).host.toLowerCase()));
  // `normaliseTarget` checks this instead, and the answer has a body.
  Object.assign(server, { requireHostHeader: false });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  const turns = new FairTurns();
  const greedy = new GreedyConnections(addresses);
  limitConnections(server, greedy, connections, answer);
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!greedy.admits(request, response)) return;
    if (!normaliseTarget(request, hosts)) return answerPlainly(response, 400, answer);
    const handle = (): void => {
      if (request.socket.destroyed) return;
      for (const handler of handlers) handler.call(server, request, response);
    };
    if (!inTurns) return handle();
    if (!turns.take(addresses.of(request).bucket, handle)) answerPlainly(response, 429, answer);
  });
  answerUnreadable(server, answer);
}
