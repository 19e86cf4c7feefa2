import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** An id that a client or proxy may choose: enough for UUIDs and trace ids, nothing that could deceive a log. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{8,128}$/;

/** Gives a request its id, or keeps the sane one it came with, and tells the client. */
export function identifyRequest(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
  response.setHeader('X-Request-Id', id);
  return id;
}
