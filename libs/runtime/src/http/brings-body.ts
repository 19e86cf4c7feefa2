import type { IncomingMessage } from 'node:http';

/** Whether the headers of a request announce a body. Node marks a request without one as complete only after its handler. */
export const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
