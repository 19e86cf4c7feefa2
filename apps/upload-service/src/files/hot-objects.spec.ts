import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import { FolderStorage, type HeldObject, ObjectNotFoundError } from '@vitrine/storage';
import { Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';
import { HotObjects, type ObjectSource } from './hot-objects';

const MIB = 1024 ** 2;

/** A storage that counts how it is used. */
class CountingStorage extends FolderStorage {
  holds = 0;
  heads = 0;

  override hold(key: string): Promise<HeldObject> {
    this.holds++;
    return super.hold(key);
  }

  override head(key: string): ReturnType<FolderStorage['head']> {
    this.heads++;
    return super.head(key);
  }
}

describe('HotObjects', () => {
  let folder: string;
  let storage: CountingStorage;
  let registry: Registry;
  let objects: HotObjects;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-hot-'));
    storage = new CountingStorage(folder);
    pass(0);
    create(1);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true, force: true });
  });

  const create = (mebibytes: number): void => {
    registry = new Registry();
    const settings = { fileMemoryMebibytes: mebibytes, fileIdleSeconds: 40 };
    const config = Object.assign(loadConfig(UploadConfig, {}), settings);
    objects = new HotObjects(storage, config, registry);
  };
  const readAll = async (held: HeldObject, range?: { from: number; to: number }): Promise<string> => {
    const pieces: Buffer[] = [];
    for await (const piece of await held.read(range)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  };
  const source = (key: string, storedKey = key): ObjectSource => ({
    key,
    storedKey,
    etagOf: ({ etag }) => etag,
  });
  const read = async (key: string, range?: { from: number; to: number }): Promise<string> => {
    const held = await objects.hold(source(key), range ? 'look' : 'read');
    try {
      return await readAll(held, range);
    } finally {
      await held.close();
    }
  };
  const bytesInMemory = async (): Promise<number> =>
    (await registry.getSingleMetric('vitrine_file_memory_bytes')!.get()).values[0]!.value;
  const heat = async (key: string, times = 3): Promise<void> => {
    for (let reads = 0; reads < times; reads++) await read(key);
  };
  /** Moves the clock that the class reads, which stands still otherwise; the file system works in real time. */
  const pass = (ms: number): void => {
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + ms);
  };

  it('reads a file from the storage until it is read often, and then from memory', async () => {
    await storage.put('f/a.png', Buffer.from('content'));
    await heat('f/a.png');
    expect(storage.holds).toBe(3);
    for (let times = 0; times < 10; times++) expect(await read('f/a.png')).toBe('content');
    expect([storage.holds, storage.heads]).toEqual([3, 0]);
    expect(await bytesInMemory()).toBe(7);
  });

  it('serves ranges, and the same info, from memory', async () => {
    await storage.put('f/a.png', Buffer.from('0123456789'));
    await heat('f/a.png');
    expect(await read('f/a.png', { from: 2, to: 5 })).toBe('2345');
    const held = await objects.hold(source('f/a.png'), 'look');
    expect(held.info).toEqual(await storage.head('f/a.png'));
    expect(storage.holds).toBe(3);
  });

  it('gives pieces that a reader at the required rate takes before it counts as idle', async () => {
    const content = Buffer.alloc(MIB / 2, 'x');
    await storage.put('f/a.png', content);
    await heat('f/a.png');
    const held = await objects.hold(source('f/a.png'), 'read');
    const sizes: number[] = [];
    for await (const piece of await held.read()) sizes.push(piece.length);
    // Idle seconds times the lowest rate.
    expect(Math.max(...sizes)).toBe(40 * 2048);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(content.length);
  });

  it('serves a replaced object half a second later', async () => {
    await storage.put('f/a.png', Buffer.from('first'));
    await heat('f/a.png');
    await storage.put('f/a.png', Buffer.from('second version'));
    expect(await read('f/a.png')).toBe('first');
    pass(501);
    expect(await read('f/a.png')).toBe('second version');
    expect(await bytesInMemory()).toBe('second version'.length);
  });

  it('counts and keeps the reads of two media that share an object separately', async () => {
    await storage.put('f/a.png', Buffer.from('content'));
    await heat('f/a.png');
    const held = await objects.hold(source('f/b.png', 'f/a.png'), 'read');
    expect([held.hot, await readAll(held)]).toEqual([undefined, 'content']);
    await held.close();
    expect([storage.holds, await bytesInMemory()]).toEqual([4, 7]);
  });

  it('stays in memory if the same bytes are stored elsewhere', async () => {
    const moving = (storedKey: string): ObjectSource => ({
      key: 'f/b.png',
      storedKey,
      etagOf: () => '"hash"',
    });
    await storage.put('f/b.png', Buffer.from('content'));
    for (let reads = 0; reads < 3; reads++) await (await objects.hold(moving('f/b.png'), 'read')).close();
    await storage.put('f/a.png', Buffer.from('content'));
    await storage.delete(['f/b.png']);
    pass(501);
    expect((await objects.hold(moving('f/a.png'), 'read')).hot).toBeDefined();
  });

  it('finds out within half a second that an object was deleted', async () => {
    await storage.put('f/a.png', Buffer.from('first'));
    await heat('f/a.png');
    await storage.delete(['f/a.png']);
    pass(501);
    await expect(objects.hold(source('f/a.png'), 'read')).rejects.toThrow(ObjectNotFoundError);
  });

  it('keeps no object above a mebibyte', async () => {
    create(64);
    await storage.put('f/a.png', Buffer.alloc(MIB + 1));
    await heat('f/a.png');
    expect(await bytesInMemory()).toBe(0);
  });

  it('keeps nothing if its memory is 0', async () => {
    create(0);
    await storage.put('f/a.png', Buffer.from('content'));
    await heat('f/a.png');
    expect(await read('f/a.png')).toBe('content');
    expect(storage.holds).toBe(4);
  });

  it('displaces only objects that are read less often', async () => {
    for (const name of ['a', 'b', 'c']) await storage.put(`f/${name}.png`, Buffer.alloc(MIB / 2, name));
    for (const name of ['a', 'b', 'c']) await heat(`f/${name}.png`);
    expect(await bytesInMemory()).toBe(MIB);
    const readsStorage = async (name: string): Promise<boolean> => {
      const before = storage.holds;
      expect(await read(`f/${name}.png`)).toBe(name.repeat(MIB / 2));
      return storage.holds > before;
    };
    expect(await readsStorage('b')).toBe(false);
    // This read makes it more popular than a.
    expect(await readsStorage('c')).toBe(true);
    expect(await readsStorage('c')).toBe(false);
    expect(await readsStorage('b')).toBe(false);
    expect(await readsStorage('a')).toBe(true);
  });

  it('counts what is still sent to slow readers towards its limit', async () => {
    for (const name of ['a', 'b']) await storage.put(`f/${name}.png`, Buffer.alloc(MIB, name));
    await heat('f/a.png');
    const slow = await objects.hold(source('f/a.png'), 'read');
    // It displaces a, whose bytes are still in use.
    await heat('f/b.png', 5);
    expect(await bytesInMemory()).toBe(MIB);
    expect(await readAll(slow)).toBe('a'.repeat(MIB));
    await slow.close();
    await slow.close();
    expect(await bytesInMemory()).toBe(0);
    await read('f/b.png');
    expect(await bytesInMemory()).toBe(MIB);
  });
});
