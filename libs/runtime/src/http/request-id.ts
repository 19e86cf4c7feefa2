import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * An id that a client or proxy may choose: enough for UUIDs and trace ids, without characters that could forge a log
 * line.
 */
const REQUEST_ID = /^[A-Za-z0-9._:-]{8,128}$/;

/** Returns the id of a request: the valid one that it came with, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
