import { randomBytes } from 'node:crypto';
import { runMigrations } from '@vitrine/database';
import { Client } from 'pg';

/** The migrated template: cloning it is 20 times faster than migrating. */
const TEMPLATE = 'vitrine_template';
/** The lock under which one of Jest's workers creates the template. */
const TEMPLATE_LOCK = 0x74706c74;

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const adminUrl = (): string => {
  const url = process.env['VITRINE_TEST_POSTGRES_URL'];
  if (!url) throw new Error('VITRINE_TEST_POSTGRES_URL is not set: run the tests with npm test or npx jest');
  return url;
};

const withDatabase = (name: string): string => {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.toString();
};

/** Creates an empty, migrated database on the tests' PostgreSQL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount === 0) {
      await admin.query(`create database ${TEMPLATE}_new`);
      await runMigrations(withDatabase(`${TEMPLATE}_new`));
      await admin.query(`alter database ${TEMPLATE}_new rename to ${TEMPLATE}`);
    }
    await admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return {
    url: withDatabase(name),
    drop: () =>
      asAdmin(async (admin) => void (await admin.query(`drop database if exists ${name} with (force)`))),
  };
}

async function asAdmin(work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
