import { Client } from 'pg';
import type { Migration } from './migration';
import { migrations } from './migrations';

/** "vitr" in ASCII: the advisory lock that makes concurrent runners wait for each other. */
const RUNNER_LOCK = 0x76697472;

/**
 * Brings the database at `url` to the newest schema and returns the names of the steps that it took.
 * Safe to run by many processes at once. A step that can't get its locks within 5 s fails rather than
 * queue all traffic behind it.
 */
export async function runMigrations(
  url: string,
  steps: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  const client = new Client({ connectionString: url, application_name: 'vitrine-migrate' });
  // A server that goes away fails the query under way too; the event alone must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [RUNNER_LOCK]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
    const applied = new Set(rows.map((row) => row.name));
    const missing = steps.filter((step) => !applied.has(step.name));
    for (const step of missing) await take(client, step);
    return missing.map((step) => step.name);
  } finally {
    await client.end();
  }
}

async function take(client: Client, step: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query("set local lock_timeout = '5s'");
    await client.query(step.up);
    await client.query('insert into schema_migrations (name) values ($1)', [step.name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`Migration ${step.name} failed`, { cause: error });
  }
}
