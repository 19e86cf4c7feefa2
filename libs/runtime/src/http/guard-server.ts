import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { ClientAddresses } from './client-address';
import { type ConnectionLimits, limitConnections } from './connection-shares';
import { FairTurns } from './fair-turns';
import { GreedyConnections } from './greedy-connections';
import { normaliseTarget, type RewriteTarget } from './request-target';
import { answerPlainly, answerUnreadable, type PlainAnswer } from './unreadable-requests';

/** The headers of a request must arrive within this time. */
const HEADERS_TIMEOUT_MS = 20_000;

/** Stands in front of a server's request listeners: answers a request, or passes it on by `next`. */
export type FrontHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface ServerGuard {
  readonly addresses: ClientAddresses;
  readonly connections: ConnectionLimits;
  /** The public addresses of this host. */
  readonly urls: readonly string[];
  readonly answer: PlainAnswer;
  /** Whether clients take turns; for a server that has no other limit on concurrent requests. */
  readonly inTurns?: boolean;
  /** Replaces the targets of requests before anything else sees them. */
  readonly rewrite?: RewriteTarget | undefined;
  /** What stands behind the guard, in this order, in front of the listeners that the server has now. */
  readonly then?: readonly FrontHandler[];
}

/**
 * Runs before all other handlers of a public server: limits its connections and the requests on each, answers
 * requests that can't be parsed, and normalises the target of each request. Call this after the request handlers
 * were added.
 */
export function guardServer(
  server: Server,
  { addresses, connections, urls, answer, inTurns = false, rewrite, then = [] }: ServerGuard,
): void {
  const hosts = new Set(urls.map((url) => new URL(url).host.toLowerCase()));
  // `normaliseTarget` checks this instead, and the answer has a body.
  Object.assign(server, { requireHostHeader: false });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  const turns = new FairTurns();
  const greedy = new GreedyConnections(addresses);
  limitConnections(server, greedy, connections, answer);
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!greedy.mayContinue(request, response)) return;
    if (!normaliseTarget(request, hosts, rewrite)) return answerPlainly(response, 400, answer);
    const passTo = (at: number): void => {
      const handler = then[at];
      if (handler) return handler(request, response, () => passTo(at + 1));
      for (const listener of listeners) listener.call(server, request, response);
    };
    const handle = (): void => {
      if (!request.socket.destroyed) passTo(0);
    };
    if (!inTurns) return handle();
    if (!turns.take(addresses.of(request).clientKey, handle)) answerPlainly(response, 429, answer);
  });
  answerUnreadable(server, answer);
}
