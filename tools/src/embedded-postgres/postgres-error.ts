/** The embedded PostgreSQL can't run here; the message says why and what helps. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
}
