import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { adoptBaseline, OLD_STEPS } from './adopt-baseline';
import { readSchemaState, runMigrations } from './migrate';
import { BASELINE } from './schema-files';

describe('adoptBaseline', () => {
  let database: TestDatabase;
  let client: Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const record = async (names: readonly string[]): Promise<void> => {
    await client.query('delete from schema_migrations');
    await client.query('insert into schema_migrations (name) select unnest($1::text[])', [names]);
  };
  const recorded = async (): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
    return rows.map(({ name }) => name);
  };

  it('replaces the records of the steps before the baseline, once', async () => {
    await record(OLD_STEPS);
    expect(await readSchemaState(database.url)).toMatchObject({ needsAdoption: true, unknown: [] });
    await expect(runMigrations(database.url)).rejects.toThrow('Run: npm run admin -- adopt-baseline');

    expect(await adoptBaseline(database.url)).toBe(90);

    expect(await recorded()).toEqual([BASELINE]);
    expect(await readSchemaState(database.url)).toMatchObject({ needsAdoption: false });
    expect(await runMigrations(database.url, [])).toEqual([]);
    expect(await adoptBaseline(database.url)).toBe(0);
  });

  it('refuses a part of the steps, and changes nothing', async () => {
    await record(OLD_STEPS.slice(0, -2));

    await expect(adoptBaseline(database.url)).rejects.toThrow(
      'lacks 2 of the 90 steps before the baseline, from 0054e_webhook_receivers on',
    );

    expect(await recorded()).toHaveLength(88);
    await expect(runMigrations(database.url)).rejects.toThrow('Run: npm run admin -- adopt-baseline');
  });

  it('refuses a database without a schema', async () => {
    await client.query('drop table schema_migrations');
    await expect(adoptBaseline(database.url)).rejects.toThrow('Run: npm run admin -- migrate');
  });
});
