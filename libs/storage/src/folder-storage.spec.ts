import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FolderStorage } from './folder-storage';
import { ObjectNotFoundError, type ObjectInfo } from './object-storage';

describe('FolderStorage', () => {
  let root: string;
  let storage: FolderStorage;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'vitrine-storage-'));
    storage = new FolderStorage(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const scratch = async (bytes: Uint8Array): Promise<string> => {
    const path = join(await storage.scratchDirectory(), randomBytes(6).toString('hex'));
    await writeFile(path, bytes);
    return path;
  };
  const read = async (key: string, range?: { from: number; to: number }): Promise<string> =>
    (await buffer(await storage.open(key, range))).toString();
  const list = async (prefix: string): Promise<string[]> => {
    const found: ObjectInfo[] = [];
    for await (const info of storage.list(prefix)) found.push(info);
    return found.map((info) => info.key).sort();
  };

  it('gives back what was put, whole and by range', async () => {
    await storage.put('f/abc.jpg', Buffer.from('0123456789'));
    expect(await read('f/abc.jpg')).toBe('0123456789');
    expect(await read('f/abc.jpg', { from: 2, to: 4 })).toBe('234');
    expect(await read('f/abc.jpg', { from: 9, to: 9 })).toBe('9');
  });

  it('tells of an object, and of none', async () => {
    await storage.put('f/abc.jpg', Buffer.from('12345'));
    expect(await storage.head('f/abc.jpg')).toMatchObject({ key: 'f/abc.jpg', size: 5 });
    expect(await storage.head('f/other.jpg')).toBeNull();
    expect(await storage.head('f')).toBeNull();
    expect(await storage.head('f/abc.jpg/below')).toBeNull();
  });

  it('changes the etag with the content', async () => {
    await storage.put('f/abc.jpg', Buffer.from('1'));
    const before = await storage.head('f/abc.jpg');
    await storage.put('f/abc.jpg', Buffer.from('22'));
    expect((await storage.head('f/abc.jpg'))?.etag).not.toBe(before?.etag);
  });

  it('holds on to what it told of, though it is replaced and deleted meanwhile', async () => {
    await storage.put('f/abc.jpg', Buffer.from('first'));
    const held = await storage.hold('f/abc.jpg');
    expect(held.info).toEqual(await storage.head('f/abc.jpg'));
    await storage.put('f/abc.jpg', Buffer.from('the second'));
    await storage.delete(['f/abc.jpg']);
    expect((await buffer(held.read({ from: 1, to: held.info.size - 1 }))).toString()).toBe('irst');
    await held.close();
    await held.close();
    for (const key of ['f/abc.jpg', 'f']) {
      await expect(storage.hold(key)).rejects.toThrow(ObjectNotFoundError);
    }
  });

  it('moves a file in, replacing what was there', async () => {
    await storage.put('f/abc.jpg', Buffer.from('old'));
    const path = await scratch(Buffer.from('new'));
    await storage.moveIn(path, 'f/abc.jpg');
    expect(await read('f/abc.jpg')).toBe('new');
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('adds a file under a free key only, and leaves it where it was', async () => {
    const first = await scratch(Buffer.from('first'));
    const second = await scratch(Buffer.from('second'));
    expect(await storage.addNew(first, 'f/abc.jpg')).toBe(true);
    expect(await storage.addNew(second, 'f/abc.jpg')).toBe(false);
    expect(await read('f/abc.jpg')).toBe('first');
    expect(await readFile(first, 'utf8')).toBe('first');
  });

  it('lets one of many that add under the same key at once win', async () => {
    const paths = await Promise.all([...'abcdefgh'].map((name) => scratch(Buffer.from(name))));
    const outcomes = await Promise.all(paths.map((path) => storage.addNew(path, 'f/race.bin')));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await read('f/race.bin')).toBe('abcdefgh'[outcomes.indexOf(true)]);
  });

  it('lists by prefix, down into folders, without the scratch files', async () => {
    for (const key of ['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg', 'frames/abc/0.jpg']) {
      await storage.put(key, Buffer.from('x'));
    }
    await scratch(Buffer.from('under way'));
    expect(await list('f/abc')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg']);
    expect(await list('f/abc.')).toEqual(['f/abc.jpg']);
    expect(await list('f/a')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg']);
    expect(await list('f')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg', 'frames/abc/0.jpg']);
    expect(await list('frames/abc/')).toEqual(['frames/abc/0.jpg']);
    expect(await list('')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg', 'frames/abc/0.jpg']);
    expect(await list('nothing/')).toEqual([]);
  });

  it('lists folders of any size', async () => {
    const keys = Array.from({ length: 150 }, (_, n) => `f/ab${String(n).padStart(5, '0')}.jpg`);
    for (const key of keys) {
      const path = await scratch(Buffer.from('x'));
      await storage.addNew(path, key);
    }
    for (const prefix of ['f/', 'f/ab', '']) expect(await list(prefix)).toEqual(keys);
  });

  it('goes on listing when folders are removed under way', async () => {
    const slugs = Array.from({ length: 60 }, (_, n) => `${String(n).padStart(2, '0')}slug1`);
    for (const slug of slugs) await storage.put(`frames/${slug}/0.jpg`, Buffer.from('x'));
    const found: string[] = [];
    for await (const { key } of storage.list('frames/')) {
      found.push(key);
      if (found.length === 1) {
        const others = (await readdir(join(root, 'frames'))).filter((shard) => !key.includes(`/${shard}`));
        for (const shard of others) await rm(join(root, 'frames', shard), { recursive: true });
      }
    }
    expect(found).toHaveLength(1);
  });

  it('deletes, absent ones too', async () => {
    await storage.put('f/abc.jpg', Buffer.from('x'));
    await storage.delete(['f/abc.jpg', 'f/never.jpg']);
    expect(await storage.head('f/abc.jpg')).toBeNull();
  });

  it('leaves no empty folder of a media behind', async () => {
    await storage.put('frames/abc/0.jpg', Buffer.from('x'));
    await storage.put('frames/abc/1.jpg', Buffer.from('x'));
    await storage.delete(['frames/abc/0.jpg']);
    expect(await list('frames/abc/')).toEqual(['frames/abc/1.jpg']);
    await storage.delete(['frames/abc/1.jpg']);
    expect(await readdir(join(root, 'frames', 'ab'))).toEqual([]);
  });

  it('stores while another deletes from the same folder', async () => {
    for (let round = 0; round < 50; round++) {
      await storage.put('frames/abc/0.jpg', Buffer.from('x'));
      await Promise.all([
        storage.delete(['frames/abc/0.jpg']),
        storage.put('frames/abc/1.jpg', Buffer.from('kept')),
      ]);
      expect(await read('frames/abc/1.jpg')).toBe('kept');
      await storage.delete(['frames/abc/1.jpg']);
    }
  });

  it('keeps its folders small', async () => {
    await storage.put('f/abcdefg.jpg', Buffer.from('x'));
    expect(await readdir(join(root, 'f'))).toEqual(['ab']);
  });

  it('says when an object to open or check out is absent', async () => {
    await expect(storage.open('f/none.jpg')).rejects.toThrow(ObjectNotFoundError);
    await expect(storage.checkOut('f/none.jpg')).rejects.toThrow(ObjectNotFoundError);
  });

  it('leaves no scratch file behind a put that fails', async () => {
    await storage.put('f/abc', Buffer.from('a file where a folder is needed'));
    await expect(storage.put('f/abc/def.jpg', Buffer.from('x'))).rejects.toThrow();
    expect(await readdir(await storage.scratchDirectory())).toEqual([]);
  });

  it.each([
    '../outside',
    'f/../../outside',
    '/etc/passwd',
    '.scratch/x',
    'f/.hidden',
    'f//x',
    'f/x/',
    '',
    'f/a b',
    'f/\0',
    'f/é',
    `f/${'x'.repeat(200)}`,
  ])('refuses the key %j', async (key) => {
    await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(TypeError);
    await expect(storage.open(key)).rejects.toThrow(TypeError);
    await expect(storage.head(key)).rejects.toThrow(TypeError);
    await expect(storage.delete([key])).rejects.toThrow(TypeError);
  });
});
