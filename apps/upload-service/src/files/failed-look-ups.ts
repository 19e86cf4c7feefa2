import type { IncomingMessage } from 'node:http';

const failures = new WeakMap<IncomingMessage, unknown>();

/** Remembers that the file of a request could not be looked up, so that the database isn't asked again for this request. */
export const recordFailedLookUp = (request: IncomingMessage, error: unknown): void =>
  void failures.set(request, error);

/** Throws the error that is remembered for a request, if there is one. */
export function throwFailedLookUp(request: IncomingMessage): void {
  if (failures.has(request)) throw failures.get(request);
}
