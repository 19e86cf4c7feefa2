import { Client, escapeIdentifier, escapeLiteral } from 'pg';

export const APPLICATION = 'vitrine';
export const BUS = 'vitrine_bus';

/** Creates the application's role, the bus's role and the database on a new server. Can be repeated. */
export async function createRolesAndDatabase(
  superuserUrl: string,
  passwords: { readonly application: string; readonly bus: string },
): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    for (const [role, password] of [
      [APPLICATION, passwords.application],
      [BUS, passwords.bus],
    ] as const) {
      const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      const verb = rowCount === 0 ? 'create' : 'alter';
      await client.query(`${verb} role ${escapeIdentifier(role)} login password ${escapeLiteral(password)}`);
    }
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [APPLICATION]);
    if (rowCount === 0) await client.query(`create database ${APPLICATION} owner ${APPLICATION}`);
    await client.query(`
      revoke all on database ${APPLICATION}, postgres, template1 from public;
      grant connect on database ${APPLICATION} to ${BUS};
    `);
  });
}

/**
 * After the migrations: lets the bus's role use only the tables of schema `bus`, so that the process that
 * decodes strangers' files has no access to the application's data. `url` is the application's own.
 */
export async function limitBusRole(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`
      revoke all on schema public from public;
      grant usage on schema bus to ${BUS};
      grant select, insert, update, delete on all tables in schema bus to ${BUS};
      grant usage, select, update on all sequences in schema bus to ${BUS};
    `);
  });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  // If the server goes away, the query fails too; the error event itself must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
