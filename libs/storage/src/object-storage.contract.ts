import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, ObjectInfo, ObjectStorage, Pieces } from './object-storage';
import { ObjectChangedError, ObjectNotFoundError } from './storage-errors';

/** One storage with the functions that the contract needs. */
export interface StorageHarness {
  /** The storage, which is empty. */
  readonly storage: ObjectStorage;
  /** A number of objects for which a listing needs more than one step. */
  readonly manyObjects: number;
  /** Stores an object under each key. */
  plant(keys: readonly string[]): Promise<void>;
  /** Returns everything in the store besides complete objects: parts, scratch files, incomplete writes. */
  leftovers(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** More than one part of a multipart upload, and not a multiple of a part. */
const LARGE_BYTES = 12 * 1024 * 1024 + 345;

/** Reads all bytes, and copies each piece before it is overwritten. */
export async function gather(pieces: Pieces): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const piece of pieces) copies.push(Buffer.from(piece));
  return Buffer.concat(copies);
}

/** The contract of `ObjectStorage`, which each adapter must keep with its real store. */
export function describeStorage(
  name: string,
  makeHarness: (folder: string) => Promise<StorageHarness>,
): void {
  describe(`${name} as an ObjectStorage`, () => {
    let folder: string;
    let harness: StorageHarness;
    let storage: ObjectStorage;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vitrine-storage-'));
      harness = await makeHarness(join(folder, 'store'));
      storage = harness.storage;
    });
    afterEach(async () => {
      await storage.close();
      await harness.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const scratch = async (bytes: Uint8Array): Promise<string> => {
      const path = join(await storage.scratchDirectory(), randomBytes(6).toString('hex'));
      await writeFile(path, bytes);
      return path;
    };
    const read = async (key: string, range?: ByteRange): Promise<string> =>
      (await buffer(await storage.open(key, range))).toString();
    const list = async (prefix: string): Promise<string[]> => {
      const found: ObjectInfo[] = [];
      for await (const info of storage.list(prefix)) found.push(info);
      return found.map((info) => info.key).sort();
    };

    describe('storing', () => {
      it('returns what was put, whole and by range', async () => {
        await storage.put('f/abc.jpg', Buffer.from('0123456789'));
        expect(await read('f/abc.jpg')).toBe('0123456789');
        expect(await read('f/abc.jpg', { from: 2, to: 4 })).toBe('234');
        expect(await read('f/abc.jpg', { from: 0, to: 0 })).toBe('0');
        expect(await read('f/abc.jpg', { from: 9, to: 9 })).toBe('9');
      });

      it('stores an empty object', async () => {
        await storage.put('f/abc.jpg', Buffer.alloc(0));
        expect(await storage.head('f/abc.jpg')).toMatchObject({ size: 0 });
        expect(await read('f/abc.jpg')).toBe('');
      });

      it('moves a file in and replaces the object', async () => {
        await storage.put('f/abc.jpg', Buffer.from('old'));
        const path = await scratch(Buffer.from('new'));
        await storage.moveIn(path, 'f/abc.jpg');
        expect(await read('f/abc.jpg')).toBe('new');
        await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
      });

      it('adds a file under a free key only, and keeps the local file', async () => {
        const first = await scratch(Buffer.from('first'));
        const second = await scratch(Buffer.from('second'));
        expect(await storage.addNew(first, 'f/abc.jpg')).toBe(true);
        expect(await storage.addNew(second, 'f/abc.jpg')).toBe(false);
        expect(await read('f/abc.jpg')).toBe('first');
        expect(await readFile(first, 'utf8')).toBe('first');
      });

      it('lets one of many simultaneous adds under one key win', async () => {
        const paths = await Promise.all([...'abcdefgh'].map((name) => scratch(Buffer.from(name))));
        const outcomes = await Promise.all(paths.map((path) => storage.addNew(path, 'f/race.bin')));
        expect(outcomes.filter(Boolean)).toHaveLength(1);
        expect(await read('f/race.bin')).toBe('abcdefgh'[outcomes.indexOf(true)]);
      });

      it('stores, replaces, reads and checks out large files', async () => {
        const [first, second] = [randomBytes(LARGE_BYTES), randomBytes(LARGE_BYTES)];
        const path = await scratch(first);
        expect(await storage.addNew(path, 'f/large.bin')).toBe(true);
        expect(await storage.addNew(path, 'f/large.bin')).toBe(false);
        expect((await buffer(await storage.open('f/large.bin'))).equals(first)).toBe(true);

        await storage.moveIn(await scratch(second), 'f/large.bin');
        expect(await storage.head('f/large.bin')).toMatchObject({ size: LARGE_BYTES });
        const middle = { from: 5_242_000, to: 11_000_000 };
        const part = await buffer(await storage.open('f/large.bin', middle));
        expect(part.equals(second.subarray(middle.from, middle.to + 1))).toBe(true);
        const file = await storage.checkOut('f/large.bin');
        expect((await readFile(file.path)).equals(second)).toBe(true);
        await file.release();

        await rm(path);
        expect(await harness.leftovers()).toEqual([]);
      });

      it('lets one of several simultaneous adds of large files under one key win', async () => {
        const files = [randomBytes(LARGE_BYTES), randomBytes(LARGE_BYTES), randomBytes(LARGE_BYTES)];
        const paths = await Promise.all(files.map(scratch));
        const outcomes = await Promise.all(paths.map((path) => storage.addNew(path, 'f/race.bin')));
        expect(outcomes.filter(Boolean)).toHaveLength(1);
        const stored = await buffer(await storage.open('f/race.bin'));
        expect(stored.equals(files[outcomes.indexOf(true)]!)).toBe(true);
        await Promise.all(paths.map((path) => rm(path)));
        expect(await harness.leftovers()).toEqual([]);
      });

      it('shows readers the old object or the new one, never a mixture', async () => {
        const [old, fresh] = [Buffer.alloc(300_000, 'a'), Buffer.alloc(300_000, 'b')];
        await storage.put('f/abc.jpg', old);
        let replacing = true;
        const replaced = (async () => {
          for (let round = 0; round < 20; round++) await storage.put('f/abc.jpg', round % 2 ? old : fresh);
          replacing = false;
        })();
        while (replacing) {
          const bytes = await buffer(await storage.open('f/abc.jpg'));
          expect([old, fresh].some((version) => version.equals(bytes))).toBe(true);
        }
        await replaced;
      });
    });

    describe('head', () => {
      it('describes an object, and returns null for an absent one', async () => {
        await storage.put('f/abc.jpg', Buffer.from('12345'));
        expect(await storage.head('f/abc.jpg')).toMatchObject({ key: 'f/abc.jpg', size: 5 });
        expect(await storage.head('f/other.jpg')).toBeNull();
        expect(await storage.head('f')).toBeNull();
        expect(await storage.head('f/abc.jpg/below')).toBeNull();
      });

      it('dates objects by the time of storing', async () => {
        const before = Date.now();
        await storage.put('f/abc.jpg', Buffer.from('1'));
        const { modifiedAt } = (await storage.head('f/abc.jpg'))!;
        // HTTP dates have no fractions of a second.
        expect(modifiedAt.getTime()).toBeGreaterThanOrEqual(before - 1_000);
        expect(modifiedAt.getTime()).toBeLessThanOrEqual(Date.now());
      });

      it('changes the etag with the content', async () => {
        await storage.put('f/abc.jpg', Buffer.from('1'));
        const before = await storage.head('f/abc.jpg');
        await storage.put('f/abc.jpg', Buffer.from('22'));
        const after = await storage.head('f/abc.jpg');
        expect(after?.etag).not.toBe(before?.etag);
        expect(after?.etag).not.toContain('"');
      });
    });

    describe('hold', () => {
      it.each(['look', 'read'] as const)(
        'reads the object that it described, whole or in part, for %s',
        async (purpose) => {
          await storage.put('f/abc.jpg', Buffer.from('0123456789'));
          for (const range of [undefined, { from: 3, to: 9 }]) {
            const held = await storage.hold('f/abc.jpg', purpose);
            expect(held.info).toMatchObject({ key: 'f/abc.jpg', size: 10 });
            expect(held.info.etag).toBe((await storage.head('f/abc.jpg'))?.etag);
            expect((await gather(await held.read(range))).toString()).toBe(range ? '3456789' : '0123456789');
            await held.close();
            await held.close();
          }
        },
      );

      it.each(['look', 'read'] as const)(
        'reads every byte of a large object in order, for %s',
        async (purpose) => {
          const bytes = randomBytes(1_000_000);
          await storage.put('f/abc.jpg', bytes);
          for (const { from, to } of [
            { from: 0, to: bytes.length - 1 },
            { from: 65_535, to: 400_001 },
            { from: 999_999, to: 999_999 },
          ]) {
            const held = await storage.hold('f/abc.jpg', purpose);
            const got = await gather(await held.read({ from, to }));
            expect(got.equals(bytes.subarray(from, to + 1))).toBe(true);
            await held.close();
          }
        },
      );

      it.each(['look', 'read'] as const)('never reads bytes of another version, for %s', async (purpose) => {
        for (const range of [undefined, { from: 1, to: 4 }]) {
          for (const change of ['replaced', 'deleted']) {
            await storage.put('f/abc.jpg', Buffer.from('first'));
            const held = await storage.hold('f/abc.jpg', purpose);
            if (change === 'replaced') await storage.put('f/abc.jpg', Buffer.from('other'));
            else await storage.delete(['f/abc.jpg']);
            const bytes = await held.read(range).then(gather, (error: unknown) => error);
            if (!(bytes instanceof ObjectChangedError)) expect(String(bytes)).toBe(range ? 'irst' : 'first');
            await held.close();
          }
        }
      });

      it('can be closed unread or partly read', async () => {
        await storage.put('f/abc.jpg', randomBytes(1_000_000));
        await (await storage.hold('f/abc.jpg', 'read')).close();
        const held = await storage.hold('f/abc.jpg', 'read');
        for await (const _chunk of await held.read()) break;
        await held.close();
      });
    });

    it('fails for an absent object to open, hold or check out', async () => {
      await expect(storage.open('f/none.jpg')).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.open('f/none.jpg', { from: 0, to: 1 })).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.hold('f/none.jpg')).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.hold('f/none.jpg', 'read')).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.hold('f')).rejects.toThrow(ObjectNotFoundError);
      await expect(storage.checkOut('f/none.jpg')).rejects.toThrow(ObjectNotFoundError);
      expect(await harness.leftovers()).toEqual([]);
    });

    it('checks an object out into a whole file, and removes it on release', async () => {
      await storage.put('f/abc.jpg', Buffer.from('0123456789'));
      const { path, release } = await storage.checkOut('f/abc.jpg');
      expect((await stat(path)).size).toBe(10);
      expect(await readFile(path, 'utf8')).toBe('0123456789');
      await release();
      expect(await read('f/abc.jpg')).toBe('0123456789');
      expect(await harness.leftovers()).toEqual([]);
    });

    describe('listing', () => {
      it('finds by prefix, in subfolders too, without the scratch files', async () => {
        for (const key of ['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg', 'frames/abc/0.jpg']) {
          await storage.put(key, Buffer.from('x'));
        }
        await scratch(Buffer.from('in progress'));
        expect(await list('f/abc')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg']);
        expect(await list('f/abc.')).toEqual(['f/abc.jpg']);
        expect(await list('f/a')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg']);
        expect(await list('f')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg', 'frames/abc/0.jpg']);
        expect(await list('frames/abc/')).toEqual(['frames/abc/0.jpg']);
        expect(await list('')).toEqual(['f/abc.jpg', 'f/abc_xs.jpg', 'f/abd.jpg', 'frames/abc/0.jpg']);
        expect(await list('nothing/')).toEqual([]);
      });

      it('describes each object as head does', async () => {
        await storage.put('f/abc.jpg', Buffer.from('12345'));
        for await (const info of storage.list('f/')) {
          const { key, size, etag } = (await storage.head('f/abc.jpg'))!;
          expect(info).toMatchObject({ key, size, etag });
        }
      });

      it('finds and deletes any number of objects', async () => {
        const keys = Array.from(
          { length: harness.manyObjects },
          (_, n) => `f/ab${String(n).padStart(5, '0')}.jpg`,
        );
        await harness.plant(keys);
        for (const prefix of ['f/', 'f/ab', '']) expect(await list(prefix)).toEqual(keys);
        await storage.delete(keys);
        expect(await list('')).toEqual([]);
      });
    });

    it('deletes objects, and ignores absent ones', async () => {
      await storage.put('f/abc.jpg', Buffer.from('x'));
      await storage.delete(['f/abc.jpg', 'f/never.jpg']);
      expect(await storage.head('f/abc.jpg')).toBeNull();
      await storage.delete([]);
    });

    it('has no stale writes after every write has ended', async () => {
      await storage.put('f/abc.jpg', Buffer.from('x'));
      expect(await storage.abortStaleWrites(new Date(Date.now() + 60_000))).toBe(0);
      expect(await read('f/abc.jpg')).toBe('x');
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
      const path = await scratch(Buffer.from('x'));
      await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(TypeError);
      await expect(storage.addNew(path, key)).rejects.toThrow(TypeError);
      await expect(storage.moveIn(path, key)).rejects.toThrow(TypeError);
      await expect(storage.open(key)).rejects.toThrow(TypeError);
      await expect(storage.hold(key)).rejects.toThrow(TypeError);
      await expect(storage.head(key)).rejects.toThrow(TypeError);
      await expect(storage.checkOut(key)).rejects.toThrow(TypeError);
      await expect(storage.delete([key])).rejects.toThrow(TypeError);
    });
  });
}

/** Names of files in a folder that a harness may call leftovers. */
export const filesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
