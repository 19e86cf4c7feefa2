import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { FolderStorage } from '@vitrine/storage';
import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { runAdmin } from '../run-admin';

describe('npm run admin -- split-files', () => {
  const before = { ...process.env };
  let database: TestDatabase;
  let client: Client;
  let folder: string;
  let storage: FolderStorage;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'vitrine-split-'));
    storage = new FolderStorage(folder);
    Object.assign(process.env, { DATABASE_URL: database.url, STORAGE_URL: pathToFileURL(folder).href });
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    process.env = { ...before };
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const split = async () => {
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const status = await runAdmin(['split-files'], { print: say, complain: say });
    return { status, said: said.join('\n') };
  };
  const stored = async (): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for await (const { key } of storage.list('f/'))
      found[key] = (await buffer(await storage.open(key))).toString();
    return found;
  };

  it('stores the original of each media item under its own key, and refuses while files are merged', async () => {
    // Of one file the first media item is left and a second copy isn't deleted yet; of the other the first one is gone.
    await client.query(`
      insert into shared_files (key, sha256, bytes) values ('f/First01.png', sha256('a'), 1), ('f/Gone001.png', sha256('b'), 1);
      insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256, shared_key)
      select slug, 'image', 'png', 'image/png', 'png', 1, 1, 1, sha256('x'), sha256(content::bytea), key
      from (values ('First01', 'a', 'f/First01.png'), ('Second1', 'a', 'f/First01.png'), ('Third01', 'a', 'f/First01.png'),
                   ('Fourth1', 'b', 'f/Gone001.png')) as given (slug, content, key);
      insert into redundant_files (media_id, key, remove_after) select id, 'f/Third01.png', now() from media where slug = 'Third01'`);
    for (const [key, content] of [
      ['f/First01.png', 'a'],
      ['f/Third01.png', 'a'],
      ['f/Gone001.png', 'b'],
    ] as const)
      await storage.put(key, Buffer.from(content));

    await client.query(`update file_merging set busy_until = now() + interval '1 hour'`);
    expect(await split()).toEqual({ status: 1, said: expect.stringContaining('Files are being merged') });
    await client.query('update file_merging set busy_until = now()');
    expect(await split()).toEqual({ status: 0, said: '4 media have originals of their own again.' });

    const { rows } = await client.query(`
      select (select count(*)::int from media where shared_key is not null) as sharing,
             (select count(*)::int from redundant_files) as redundant,
             (select string_agg(key, ' ') from shared_files where unused_since is not null) as unused,
             (select count(*)::int from shared_files where unused_since is null) as used`);
    expect(rows).toEqual([{ sharing: 0, redundant: 0, unused: 'f/Gone001.png', used: 0 }]);
    expect(await stored()).toEqual({
      'f/First01.png': 'a',
      'f/Second1.png': 'a',
      'f/Third01.png': 'a',
      'f/Fourth1.png': 'b',
      'f/Gone001.png': 'b',
    });
  });
});
