import { createTestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { runAdmin } from '../run-admin';

/** Used as the password of an address at which nothing listens. */
const CANARY = 'canary-7b1e';

describe('npm run admin -- migrate', () => {
  it('runs the missing steps and prints them; the second time it runs none', async () => {
    const database = await createTestDatabase();
    const before = process.env['DATABASE_URL'];
    process.env['DATABASE_URL'] = database.url;
    const lines: string[] = [];
    const complaints: string[] = [];
    const output = {
      print: (line: string) => void lines.push(line),
      complain: (line: string) => void complaints.push(line),
    };
    try {
      await withSchemaDropped(database.url);
      expect(await runAdmin(['migrate'], output)).toBe(0);
      expect(lines[0]).toMatch(/^baseline took \d+ ms$/);
      expect(lines.at(-1)).toMatch(/^Ran \d+ steps\.$/);
      expect(await runAdmin(['migrate'], output)).toBe(0);
      expect(lines.at(-1)).toBe('The schema is up to date.');
      expect(await runAdmin(['migrate', '--patience', 'long'], output)).toBe(2);

      process.env['DATABASE_URL'] = `postgresql://vitrine:${CANARY}@127.0.0.1:1/vitrine`;
      expect(await runAdmin(['migrate'], output)).toBe(1);
      expect(complaints.at(-1)).toContain('ECONNREFUSED');
      expect(complaints.join()).not.toContain(CANARY);
    } finally {
      if (before === undefined) delete process.env['DATABASE_URL'];
      else process.env['DATABASE_URL'] = before;
      await database.drop();
    }
  });
});

async function withSchemaDropped(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade; drop schema bus cascade; create schema public');
  await client.end();
}
