import type { IncomingMessage } from 'node:http';
import type { Identity } from '../access/identification';

/** Whose requests count together, and which throttler counts them. */
export interface ThrottledSubject {
  readonly throttler: 'address' | 'user' | 'site-address' | 'site-user' | 'preflight';
  readonly key: string;
  /** The client that sent the request. Routes with a separate limit count by it, not by account. */
  readonly clientKey: string;
}

const subjects = new WeakMap<IncomingMessage, ThrottledSubject>();

export const recordSubject = (request: IncomingMessage, subject: ThrottledSubject): void =>
  void subjects.set(request, subject);

/** Throws if the request has no subject yet. */
export function subjectOf(request: IncomingMessage): ThrottledSubject {
  const subject = subjects.get(request);
  if (!subject) throw new Error('The request has not been identified');
  return subject;
}

/** Browsers send no credentials with a preflight. Its own limit keeps it from using up that of other requests. */
export const preflightSubject = (clientKey: string): ThrottledSubject => ({
  throttler: 'preflight',
  key: clientKey,
  clientKey,
});

/** Requests with a bad token, and those of all guests of one address, count for the address. */
export function requestSubject(
  { method }: IncomingMessage,
  { caller, clientKey, viaSite }: Identity,
): ThrottledSubject {
  // With a ticket the website's pages upload directly from a visitor's browser. Other requests with it have the
  // ordinary limits.
  const onSite = viaSite || (caller?.kind === 'ticket' && method === 'POST');
  return caller && !caller.isGuest
    ? { throttler: onSite ? 'site-user' : 'user', key: String(caller.userId), clientKey }
    : { throttler: onSite ? 'site-address' : 'address', key: clientKey, clientKey };
}
