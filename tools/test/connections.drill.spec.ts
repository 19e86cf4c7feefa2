import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually, type OwnStack, startStack } from '@vitrine/testing';

const POOL = 3;

/** The maximum number of sessions of each name in docs/guides/connections.md, with the bus in PostgreSQL. */
const BUDGET: Readonly<Record<string, number>> = {
  'vitrine-api-gateway': POOL,
  'vitrine-upload-service': POOL,
  'vitrine-moderation-service': POOL,
  'vitrine-bus upload-service': 5,
  'vitrine-bus moderation-service': 5,
  'vitrine-bus media-processor': 5,
};

describe('the connections of a running stack', () => {
  let stack: OwnStack;
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

  it('stay within the budget under load and have the name of their service', async () => {
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
      // The gateway's pool is full.
      expect(held).toMatchObject({ 'vitrine-api-gateway': POOL });
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
