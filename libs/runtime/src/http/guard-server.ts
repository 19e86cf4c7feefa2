import type { RequestListener, Server } from 'node:http';
import type { ClientAddresses } from './client-address';
import { type ConnectionLimits, limitConnections } from './connection-shares';
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
}

/**
 * Runs before all handlers of the connections and requests of a public server: bounds connections, answers requests that
 * can't be read, and gives each request one normalised target. To be called after the request handlers were added.
 */
export function guardServer(server: Server, { addresses, connections, urls, answer }: ServerGuard): void {
  const hosts = new Set(urls.map((url) => new URL(url).host.toLowerCase()));
  // `normaliseTarget` checks this instead, and the answer has a body.
  Object.assign(server, { requireHostHeader: false });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  limitConnections(server, addresses, connections, answer);
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!normaliseTarget(request, hosts)) return answerPlainly(response, 400, answer);
    for (const handler of handlers) handler.call(server, request, response);
  });
  answerUnreadable(server, answer);
}
