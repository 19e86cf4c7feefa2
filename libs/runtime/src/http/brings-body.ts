import type { IncomingMessage } from 'node:http';

/** Whether a request's headers announce a body. A request without one is answered before Node marks it as complete. */
export const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
