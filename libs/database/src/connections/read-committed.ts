import type { ClientBase } from 'pg';

/**
 * Makes READ COMMITTED the isolation of a session, whatever the default of the database is, so that no transaction needs a
 * statement for it. The option `onConnect` of a pool; a connection for which it fails isn't used.
 */
export async function readCommitted(client: ClientBase): Promise<void> {
  await client.query('set session characteristics as transaction isolation level read committed');
}
