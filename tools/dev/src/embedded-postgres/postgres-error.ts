/** The embedded PostgreSQL can't run here; the message says why, and what to do about it. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
}
