import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FolderStorage } from './folder-storage';
import { describeStorage, filesIn, gather } from './object-storage.contract';
import { StorageUnavailableError } from './storage-errors';

describeStorage('FolderStorage', async (folder) => {
  const storage = new FolderStorage(folder);
  return {
    storage,
    manyObjects: 150,
    plant: async (keys) => {
      for (const key of keys) await storage.put(key, Buffer.from('x'));
    },
    leftovers: () => filesIn(join(folder, '.scratch')),
    stop: async () => undefined,
  };
});

describe('FolderStorage', () => {
  let root: string;
  let storage: FolderStorage;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'vitrine-storage-'));
    storage = new FolderStorage(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const read = async (key: string): Promise<string> => (await buffer(await storage.open(key))).toString();
  const list = async (prefix: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) keys.push(key);
    return keys.sort();
  };

  it('reads the object that it opened, even if it is replaced or deleted meanwhile', async () => {
    await storage.put('f/abc.jpg', Buffer.from('first'));
    const held = await storage.hold('f/abc.jpg');
    await storage.put('f/abc.jpg', Buffer.from('the second'));
    await storage.delete(['f/abc.jpg']);
    expect((await gather(await held.read({ from: 1, to: held.info.size - 1 }))).toString()).toBe('irst');
    await held.close();
  });

  it('fails if a file is shorter than reported', async () => {
    await storage.put('f/abcdefg.jpg', Buffer.from('0123456789'));
    const held = await storage.hold('f/abcdefg.jpg');
    await truncate(join(root, 'f', 'ab', 'abcdefg.jpg'), 4);
    const pieces = (await held.read())[Symbol.asyncIterator]();
    expect(Buffer.from((await pieces.next()).value as Uint8Array).toString()).toBe('0123');
    await expect(pieces.next()).rejects.toThrow(StorageUnavailableError);
    await held.close();
    const other = await storage.hold('f/abcdefg.jpg');
    await expect(other.read({ from: 4, to: 9 })).rejects.toThrow(StorageUnavailableError);
    await other.close();
  });

  it('continues a listing while folders are removed', async () => {
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

  it('leaves no empty folder of a media item', async () => {
    await storage.put('frames/abc/0.jpg', Buffer.from('x'));
    await storage.put('frames/abc/1.jpg', Buffer.from('x'));
    await storage.delete(['frames/abc/0.jpg']);
    expect(await list('frames/abc/')).toEqual(['frames/abc/1.jpg']);
    await storage.delete(['frames/abc/1.jpg']);
    expect(await readdir(join(root, 'frames', 'ab'))).toEqual([]);
  });

  it('stores while another operation deletes from the same folder', async () => {
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

  it('leaves no scratch file after a failed put', async () => {
    await storage.put('f/abc', Buffer.from('a file where a folder is needed'));
    await expect(storage.put('f/abc/def.jpg', Buffer.from('x'))).rejects.toThrow();
    expect(await readdir(await storage.scratchDirectory())).toEqual([]);
  });
});
