import { sqlState } from './sql-state';

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
]);

/** Connection exceptions, insufficient resources, operator intervention (PostgreSQL, appendix A). */
const OUTAGE_STATES = /^(?:08|53|57P)/;

/** pg reports a lost or impossible connection only in the message. */
const OUTAGE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error says that the database couldn't be reached, was lost or is short of resources. */
export function isDatabaseOutage(error: unknown): boolean {
  const { message, syscall } = (error ?? {}) as { message?: unknown; syscall?: unknown };
  if (typeof message === 'string' && OUTAGE_MESSAGES.test(message)) return true;
  const code = sqlState(error);
  if (code === undefined) return false;
  const socketIsMissing = code === 'ENOENT' && syscall === 'connect';
  return socketIsMissing || NETWORK.has(code) || OUTAGE_STATES.test(code);
}

/** Codes of a connection that was ended by the server (admin_shutdown, also in a failover) or on the way to it. */
const LOST = new Set(['57P01', 'ECONNRESET', 'EPIPE']);

/**
 * Whether a statement failed because its connection had ended, for example because a firewall dropped it while it was
 * idle. Other outages are not meant: a server that can't be reached, or that doesn't answer in time.
 */
export function isLostConnection(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown };
  return message === 'Connection terminated unexpectedly' || LOST.has(sqlState(error) ?? '');
}
