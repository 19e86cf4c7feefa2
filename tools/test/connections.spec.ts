import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually, type Stack, startStack } from '@vitrine/testing';

jest.setTimeout(180_000);

const POOL = 3;

/** At most so many sessions of each name, as docs/guides/connections.md has it, with the bus in PostgreSQL. */
const BUDGET: Readonly<Record<string, number>> = {
  'vitrine-api-gateway': POOL,
  'vitrine-upload-service': POOL,
  'vitrine-moderation-service': POOL,
  'vitrine-api-gateway watch': 1,
  'vitrine-upload-service watch': 1,
  'vitrine-moderation-service watch': 1,
  'vitrine-relay': 2,
  'vitrine-bus upload-service': 5,
  'vitrine-bus moderation-service': 5,
  'vitrine-bus media-processor': 5,
};

describe('the connections of a running stack', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { DATABASE_POOL_SIZE: String(POOL) }, without: ['website'] });
  });
  afterAll(() => stack?.close());

  const sessions = async (): Promise<Readonly<Record<string, number>>> => {
    const rows = await stack.sql<{ name: string; count: number }>(
      `select application_name as name, count(*)::integer as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
       group by 1`,
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };

  it('are those of the budget, and say whose they are, however much is asked', async () => {
    const ada = await stack.createPerson('ada');
    let over = false;
    const readers = Array.from({ length: 30 }, async () => {
      while (!over) await ada.client.posts.list();
    });
    const beyond: string[] = [];
    await eventually(async () => {
      const held = await sessions();
      for (const [name, count] of Object.entries(held)) {
        if (count > (BUDGET[name] ?? 0)) beyond.push(`${count} sessions are called "${name}"`);
      }
      // The gateway's pool is full, and whoever listens is there.
      expect(held).toMatchObject({ 'vitrine-api-gateway': POOL, 'vitrine-relay': 2 });
    });
    over = true;
    await Promise.all(readers);
    expect(beyond).toEqual([]);
  });

  it('are documented by their names', () => {
    const guide = readFileSync(resolve(__dirname, '../../docs/guides/connections.md'), 'utf8');
    for (const name of Object.keys(BUDGET)) {
      expect(guide).toContain(`\`${name.replace(/^vitrine-bus .*/, 'vitrine-bus <service>')}\``);
    }
  });
});
