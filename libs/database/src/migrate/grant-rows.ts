import type { Client } from 'pg';
import { withClient } from '../connections/connections';

/**
 * Lock under which grants run one after another, because two on one table at the same time would fail. "vitr" in
 * ASCII, plus one.
 */
const GRANT_LOCK = 0x76697473;

const SCHEMAS = ['public', 'bus'];

/** The logs, whose rows never change. */
const APPEND_ONLY = ['audit_log', 'moderation_decisions'];

/**
 * Lets the role `role` read and write rows of every table, including those of later migrations, and nothing else. `url`
 * names the owner of the database and its tables. Revokes the rights that PostgreSQL gives to every role. Safe to repeat.
 * Rejects if there is no such role.
 */
export async function grantRows(url: string, role: string): Promise<void> {
  await withClient(url, 'vitrine-migrate', async (client) => {
    const statements = await statementsFor(client, client.escapeIdentifier(role));
    await client.query(['begin', ...statements, 'commit'].join(';\n'));
  });
}

async function statementsFor(client: Client, role: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ database: string; schemas: string[] }>(
    `select current_database() as database,
            array(select nspname::text from pg_namespace where nspname = any($1) order by 1) as schemas`,
    [SCHEMAS],
  );
  const database = client.escapeIdentifier(rows[0]?.database ?? '');
  return [
    `select pg_advisory_xact_lock(${GRANT_LOCK})`,
    `revoke all on database ${database} from public`,
    `grant connect on database ${database} to ${role}`,
    ...(rows[0]?.schemas ?? []).flatMap((schema) => [
      `revoke all on schema ${schema} from public`,
      `grant usage on schema ${schema} to ${role}`,
      `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
      `grant usage, select on all sequences in schema ${schema} to ${role}`,
    ]),
    `alter default privileges grant select, insert, update, delete on tables to ${role}`,
    `alter default privileges grant usage, select on sequences to ${role}`,
    `alter default privileges grant usage on schemas to ${role}`,
    // Only the owner may write which migrations were applied.
    `revoke insert, update, delete on schema_migrations from ${role}`,
    // Triggers refuse this to everyone; the services aren't even asked.
    ...(await existing(client, APPEND_ONLY)).map((table) => `revoke update, delete on ${table} from ${role}`),
  ];
}

async function existing(client: Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename = any($1) order by 1`,
    [tables],
  );
  return rows.map(({ name }) => name);
}
