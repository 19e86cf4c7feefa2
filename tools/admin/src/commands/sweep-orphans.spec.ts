import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FolderStorage } from '@vitrine/storage';
import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { runAdmin } from '../run-admin';

describe('npm run admin -- sweep-orphans', () => {
  const before = { ...process.env };
  let database: TestDatabase;
  let folder: string;
  let storage: FolderStorage;

  beforeAll(async () => {
    database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`
      insert into shared_files (key, sha256, bytes) values ('f/bShared.png', sha256('a'), 1);
      insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256, shared_key)
      select slug, 'image', 'png', 'image/png', 'png', 1, 1, 1, sha256('x'), sha256('a'), key
      from (values ('bKnown1', null), ('bKnown2', 'f/bShared.png')) as given (slug, key)`);
    await client.end();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-orphans-'));
    storage = new FolderStorage(folder);
    Object.assign(process.env, { DATABASE_URL: database.url, STORAGE_URL: pathToFileURL(folder).href });
  });
  afterEach(async () => {
    process.env = { ...before };
    await rm(folder, { recursive: true, force: true });
  });

  const store = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await storage.put(key, Buffer.from('x'));
      await utimes((await storage.checkOut(key)).path, new Date(0), new Date(0));
    }
  };
  const KEPT = [
    'f/bKnown1.png',
    'f/bKnown1_xs.png',
    'f/bShared.png',
    'f/bforeign.txt',
    'frames/bKnown2/0.jpg',
  ];
  const numbered = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `f/b${String(at).padStart(6, '0')}.png`);
  const sweep = async (...args: readonly string[]) => {
    const printed: string[] = [];
    const complaints: string[] = [];
    const output = {
      print: (line: string) => void printed.push(line),
      complain: (line: string) => void complaints.push(line),
    };
    const status = await runAdmin(['sweep-orphans', ...args], output);
    return { status, printed, complaints };
  };
  const left = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage.list('')) keys.push(key);
    return keys.sort();
  };

  it('prints old objects without a media item, and removes them with --remove', async () => {
    const orphans = ['f/aGone01.png', 'f/bGone01_xs.jpg', 'frames/bGone01/0.jpg'];
    await store(...KEPT, ...orphans);
    await storage.put('f/bYoung1.png', Buffer.from('x'));
    expect(await sweep()).toEqual({
      status: 0,
      printed: orphans,
      complaints: ['a: 1 objects, 1 orphans', 'b: 6 objects, 2 orphans'],
    });
    expect(await left()).toEqual([...KEPT, ...orphans, 'f/bYoung1.png'].sort());
    expect((await sweep('--remove', '--from', 'b')).complaints).toEqual(['b: 6 objects, 2 removed']);
    expect(await left()).toEqual([...KEPT, 'f/aGone01.png', 'f/bYoung1.png'].sort());
  });

  it('removes nothing of a section of which more than a tenth are orphans, unless told to', async () => {
    await store(...KEPT, ...numbered(21));
    expect(await sweep('--remove')).toMatchObject({
      status: 1,
      complaints: [expect.stringMatching(/^21 of 25 objects.* --remove --unlimited --from b$/)],
    });
    expect(await left()).toHaveLength(26);
    expect(await sweep('--remove', '--unlimited')).toMatchObject({ status: 0 });
    expect(await left()).toEqual([...KEPT].sort());
  });

  it('refuses a section that does not exist', async () => {
    expect(await sweep('--from', 'ab')).toMatchObject({ status: 2 });
  });
});
