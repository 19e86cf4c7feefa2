/**
 * Something that this process depends on is unreachable or full. The request itself is valid and may succeed later:
 * clients get 503 with `Retry-After`, and a message whose handler throws this is delivered again, which doesn't count
 * as an attempt.
 */
export class OutageError extends Error {
  override readonly name: string = 'OutageError';
}

/** Returns the code of an error: PostgreSQL's five characters, or a code of Node's; undefined if it has none. */
export function sqlState(error: unknown): string | undefined {
  const code =
    (error as { driverError?: { code?: unknown }; code?: unknown } | null)?.driverError?.code ??
    (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

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
