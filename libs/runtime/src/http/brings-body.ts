import type { IncomingMessage } from 'node:http';

/** Whether a request says that a body comes with it; one without is answered before Node calls it complete. */
export const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
