import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { OutageError } from '@vitrine/runtime';
import { eventually, freePort, type S3Fault, startS3, type TestS3 } from '@vitrine/testing';
import { describeStorage, filesIn } from './object-storage.contract';
import type { S3Timeouts } from './s3-calls';
import { S3Storage } from './s3-storage';
import { StorageUnavailableError } from './storage-errors';
import { parseStorageUrl, type BucketLocation } from './storage-location';

const MIB = 1024 * 1024;
/** Short limits for small requests that get no answer; large ones may take longer on a busy machine. */
const SHORT_TIMEOUTS = { idleMs: 500, answerMs: 500, callMs: 2_000, transferMs: 500, transferCallMs: 2_000 };
const REFUSED: S3Fault = { kind: 'refuse', status: 503, code: 'SlowDown' };

function storageOn(
  s3: TestS3,
  scratchDirectory: string,
  { prefix = 'some/place', timeouts = {} }: { prefix?: string; timeouts?: Partial<S3Timeouts> } = {},
): S3Storage {
  const location = parseStorageUrl(s3.settings(prefix)['STORAGE_URL'] ?? '') as BucketLocation;
  const { accessKeyId, secretAccessKey } = s3;
  return new S3Storage({
    location,
    credentials: { accessKeyId, secretAccessKey },
    scratchDirectory,
    timeouts,
  });
}

describeStorage('S3Storage', async (folder) => {
  const s3 = await startS3();
  return {
    storage: storageOn(s3, folder),
    manyObjects: 1_005,
    plant: (keys) => s3.plant(keys.map((key) => `some/place/${key}`)),
    leftovers: async () => [...s3.openUploads(), ...(await filesIn(folder))],
    stop: () => s3.stop(),
  };
});

describe('S3Storage', () => {
  let folder: string;
  let s3: TestS3;
  let storage: S3Storage;

  beforeAll(async () => {
    s3 = await startS3();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-scratch-'));
    storage = storageOn(s3, folder);
  });
  afterEach(async () => {
    s3.setFault(null);
    for await (const { key } of storage.list('')) await storage.delete([key]);
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterAll(() => s3.stop());

  const fileOf = async (bytes: Uint8Array): Promise<string> => {
    const path = join(folder, randomBytes(6).toString('hex'));
    await writeFile(path, bytes);
    return path;
  };
  /**
   * Causes the fault for the first `times` requests that `match`; returns a function with the number of matching
   * requests.
   */
  const setFault = (
    fault: S3Fault,
    {
      times = Infinity,
      match = () => true,
    }: { times?: number; match?: (request: IncomingMessage) => boolean } = {},
  ): { readonly came: () => number } => {
    let count = 0;
    s3.setFault((request) => (match(request) && ++count <= times ? fault : undefined));
    return { came: () => count };
  };
  const isPart = ({ url = '' }: IncomingMessage): boolean => url.includes('partNumber=');
  const isEnd = ({ method, url = '' }: IncomingMessage): boolean =>
    method === 'POST' && url.includes('uploadId=');
  const isPut = ({ method }: IncomingMessage): boolean => method === 'PUT';
  const isGet = ({ method }: IncomingMessage): boolean => method === 'GET';

  it('signs its requests, and a store refuses those that are signed with another secret', async () => {
    await storage.put('f/abc.jpg', Buffer.from('x'));
    const stranger = storageOn({ ...s3, secretAccessKey: 'another' }, folder);
    await expect(stranger.list('')[Symbol.asyncIterator]().next()).rejects.toThrow('SignatureDoesNotMatch');
    await stranger.close();
    const signed = await storage.locateForProxy('f/abc.jpg');
    const read = async (path: string) => (await fetch(`${s3.endpoint}/${path}`)).status;
    expect(await read(signed)).toBe(200);
    for (const other of [
      signed.replace('abc', 'abd'),
      signed.replace('Expires=60', 'Expires=90'),
      'f/abc.jpg',
    ])
      expect([other, await read(other)]).toEqual([other, 403]);
  });

  it('stores objects below its prefix, and sees no others', async () => {
    await storage.put('f/abc.jpg', Buffer.from('x'));
    expect(s3.keys()).toEqual(['some/place/f/abc.jpg']);
    const neighbour = storageOn(s3, folder, { prefix: 'some/place2' });
    expect(await neighbour.head('f/abc.jpg')).toBeNull();
    for await (const info of neighbour.list('')) throw new Error(`Found ${info.key}`);
    await neighbour.close();
  });

  describe('if requests fail for a while', () => {
    it.each<[string, S3Fault]>([
      ['503 SlowDown', REFUSED],
      ['500', { kind: 'refuse', status: 500, code: 'InternalError' }],
      ['a reset connection', { kind: 'reset' }],
      ['a lost answer', { kind: 'lose-answer' }],
      ['no answer', { kind: 'hang' }],
    ])('repeats %s', async (_, fault) => {
      await storage.close();
      storage = storageOn(s3, folder, { timeouts: SHORT_TIMEOUTS });
      setFault(fault, { times: 1 });
      await storage.put('f/abc.jpg', Buffer.from('kept'));
      setFault(fault, { times: 1 });
      expect(await storage.head('f/abc.jpg')).toMatchObject({ size: 4 });
      setFault(fault, { times: 1 });
      expect((await buffer(await storage.open('f/abc.jpg'))).toString()).toBe('kept');
      setFault(fault, { times: 1, match: isPut });
      expect(await storage.addNew(await fileOf(Buffer.from('new')), 'f/new.jpg')).toBe(true);
      setFault(fault, { times: 1 });
      await storage.delete(['f/abc.jpg', 'f/new.jpg']);
      expect(s3.keys()).toEqual([]);
    });

    it('stores a large file although some requests for its parts fail', async () => {
      const bytes = randomBytes(17 * MIB);
      let request = 0;
      s3.setFault(() => (++request % 3 === 0 ? (request % 2 ? REFUSED : { kind: 'reset' }) : undefined));
      await storage.moveIn(await fileOf(bytes), 'f/large.bin');
      s3.setFault(null);
      expect((await buffer(await storage.open('f/large.bin'))).equals(bytes)).toBe(true);
      expect(s3.openUploads()).toEqual([]);
    });

    it.each([3, 11])(
      'recognises its own object if the response of an attempt was lost (%i MiB)',
      async (mebibytes) => {
        const match = mebibytes > 5 ? isEnd : isPut;
        setFault({ kind: 'lose-answer' }, { times: 1, match });
        expect(await storage.addNew(await fileOf(randomBytes(mebibytes * MIB)), 'f/new.bin')).toBe(true);
        s3.setFault(null);
        expect(await storage.head('f/new.bin')).toMatchObject({ size: mebibytes * MIB });
        expect(s3.openUploads()).toEqual([]);
      },
    );
  });

  describe('if the bucket stays unavailable', () => {
    it.each<[string, S3Fault]>([
      ['503 SlowDown', REFUSED],
      ['403', { kind: 'refuse', status: 403, code: 'AccessDenied' }],
      ['a missing bucket', { kind: 'refuse', status: 404, code: 'NoSuchBucket' }],
      ['no sense', { kind: 'refuse', status: 200, code: 'Nonsense' }],
      ['reset connections', { kind: 'reset' }],
      ['no answer', { kind: 'hang' }],
    ])('reports %s as an outage in every operation', async (_, fault) => {
      await storage.close();
      storage = storageOn(s3, folder, { timeouts: SHORT_TIMEOUTS });
      const path = await fileOf(Buffer.from('x'));
      const match = ({ method }: IncomingMessage): boolean => method !== 'HEAD';
      setFault(fault, { match });
      for (const ask of [
        () => storage.addNew(path, 'f/abc.jpg'),
        () => storage.moveIn(path, 'f/abc.jpg'),
        () => storage.open('f/abc.jpg').then(buffer),
        () => storage.checkOut('f/abc.jpg'),
        () => storage.delete(['f/abc.jpg']),
        () => storage.list('f/')[Symbol.asyncIterator]().next(),
      ]) {
        // In operations whose answer has no content, an invalid answer with 200 counts as success.
        const outcome = await ask().then(
          () => null,
          (error: unknown) => error,
        );
        if (fault.kind !== 'refuse' || fault.status !== 200) expect(outcome).toBeInstanceOf(OutageError);
      }
      s3.setFault(null);
      expect(s3.openUploads()).toEqual([]);
    });

    it('reports a closed port as an outage', async () => {
      const location = parseStorageUrl(
        `s3://bucket?endpoint=${encodeURIComponent(`http://127.0.0.1:${await freePort()}`)}&path_style=true`,
      ) as BucketLocation;
      const credentials = { accessKeyId: 'ours', secretAccessKey: 'never-to-be-told' };
      const away = new S3Storage({ location, credentials, scratchDirectory: folder });
      const failure = await away.head('f/abc.jpg').catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StorageUnavailableError);
      // The message ends with the error's code; in Jest the SDK may replace the error by its own.
      expect(String(failure)).toMatch(/^StorageUnavailableError: S3 did not respond to look: \w+$/);
      await away.close();
    });

    it('names no keys or signatures in errors', async () => {
      setFault({ kind: 'refuse', status: 403, code: 'SignatureDoesNotMatch' });
      const failure = (await storage.head('f/abc.jpg').catch((error: unknown) => error)) as Error;
      expect(failure.message).toMatch(/^S3 refused to look: \S+, status 403/);
      expect(JSON.stringify({ ...failure, cause: failure.cause })).not.toMatch(
        /vitrine-test-owner|Credential|Signature=/,
      );
    });

    it('leaves nothing of a large file, although some parts had arrived', async () => {
      setFault(REFUSED, { match: (request) => isPart(request) && request.url!.includes('partNumber=3') });
      const path = await fileOf(randomBytes(17 * MIB));
      await expect(storage.addNew(path, 'f/large.bin')).rejects.toThrow(StorageUnavailableError);
      s3.setFault(null);
      expect(s3.keys()).toEqual([]);
      expect(s3.openUploads()).toEqual([]);
    });

    it('leaves an upload that it cannot abort to abortStaleWrites, which removes only stale ones', async () => {
      const { came } = setFault(REFUSED, {
        match: (request) => isEnd(request) || request.method === 'DELETE',
      });
      const path = await fileOf(randomBytes(6 * MIB));
      await expect(storage.moveIn(path, 'f/large.bin')).rejects.toThrow(StorageUnavailableError);
      expect(came()).toBeGreaterThan(1);
      s3.setFault(null);
      expect(s3.openUploads()).toHaveLength(1);
      expect(await storage.abortStaleWrites(new Date(Date.now() - 60_000))).toBe(0);
      const neighbour = storageOn(s3, folder, { prefix: 'elsewhere' });
      expect(await neighbour.abortStaleWrites(new Date(Date.now() + 60_000))).toBe(0);
      await neighbour.close();
      expect(await storage.abortStaleWrites(new Date(Date.now() + 60_000), () => false)).toBe(0);
      expect(await storage.abortStaleWrites(new Date(Date.now() + 60_000))).toBe(1);
      expect(s3.openUploads()).toEqual([]);
    });

    it('does not abort uploads outside its prefix', async () => {
      setFault(REFUSED, { match: (request) => isEnd(request) || request.method === 'DELETE' });
      const path = await fileOf(randomBytes(6 * MIB));
      await expect(storage.moveIn(path, 'f/large.bin')).rejects.toThrow(StorageUnavailableError);
      s3.setFault(null);
      const whole = storageOn(s3, folder, { prefix: '' });
      expect(await whole.abortStaleWrites(new Date(Date.now() + 60_000))).toBe(0);
      await whole.close();
      expect(await storage.abortStaleWrites(new Date(Date.now() + 60_000))).toBe(1);
    });
  });

  describe('reading', () => {
    const bytes = randomBytes(3 * MIB);
    beforeEach(() => storage.put('f/abc.bin', bytes));

    it.each<[string, S3Fault]>([
      ['breaks off', { kind: 'break-off', afterBytes: MIB }],
      ['stalls', { kind: 'stall', afterBytes: MIB }],
    ])('continues if a response %s', async (_, fault) => {
      await storage.close();
      storage = storageOn(s3, folder, { timeouts: { idleMs: SHORT_TIMEOUTS.idleMs } });
      const { came } = setFault(fault, { times: 2, match: isGet });
      expect((await buffer(await storage.open('f/abc.bin'))).equals(bytes)).toBe(true);
      expect(came()).toBe(3);
      setFault(fault, { times: 1, match: isGet });
      const range = { from: 100, to: 2 * MIB + 200 };
      const part = await buffer(await storage.open('f/abc.bin', range));
      expect(part.equals(bytes.subarray(range.from, range.to + 1))).toBe(true);
    });

    it('fails instead of ending early if responses break off repeatedly', async () => {
      setFault({ kind: 'break-off', afterBytes: 0 }, { match: isGet });
      await expect(storage.open('f/abc.bin').then(buffer)).rejects.toThrow(StorageUnavailableError);
      await expect(storage.checkOut('f/abc.bin')).rejects.toThrow(StorageUnavailableError);
      expect(await filesIn(folder)).toEqual([]);
    });

    it('fails if the object is replaced during a read, and never joins two versions', async () => {
      setFault({ kind: 'break-off', afterBytes: MIB }, { times: 1, match: isGet });
      const stream = await storage.open('f/abc.bin');
      await storage.put('f/abc.bin', randomBytes(3 * MIB));
      await expect(buffer(stream)).rejects.toThrow('has changed since it was opened');
    });

    it('continues for a reader that is slower than the bucket’s timeout', async () => {
      await storage.close();
      storage = storageOn(s3, folder, { timeouts: { idleMs: SHORT_TIMEOUTS.idleMs } });
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of await storage.open('f/abc.bin')) {
        // Far longer than `idleMs`.
        if (size === 0) await new Promise((wake) => setTimeout(wake, 2 * SHORT_TIMEOUTS.idleMs));
        hash.update(chunk);
        size += chunk.length;
      }
      expect(size).toBe(bytes.length);
      expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    });

    it('frees the connection of an object that is closed unread', async () => {
      let released = false;
      s3.setFault(({ socket }) => void socket.once('close', () => (released = true)));
      (await storage.open('f/abc.bin')).destroy();
      // Before the bucket itself would close it.
      await eventually(() => expect(released).toBe(true), 3_000);
    });

    it('requests no bytes that it cannot buffer', async () => {
      const withoutFolder = storageOn(s3, join(await fileOf(bytes), 'below-a-file'));
      const { came } = setFault(REFUSED);
      await expect(withoutFolder.checkOut('f/abc.bin')).rejects.toThrow('ENOTDIR');
      expect(came()).toBe(0);
      await withoutFolder.close();
    });

    it('refuses to check out a file whose bytes differ from the stored ones', async () => {
      await s3.damage('some/place/f/abc.bin');
      await expect(storage.checkOut('f/abc.bin')).rejects.toThrow('differ from the stored ones');
      expect(await filesIn(folder)).toEqual([]);
    });
  });

  describe('on a store with fewer features', () => {
    it('refuses a taken key although the store ignores conditions', async () => {
      const plain = await startS3({ honoursConditions: false });
      const onPlain = storageOn(plain, folder);
      expect(await onPlain.addNew(await fileOf(Buffer.from('first')), 'f/abc.jpg')).toBe(true);
      expect(await onPlain.addNew(await fileOf(Buffer.from('second')), 'f/abc.jpg')).toBe(false);
      expect((await buffer(await onPlain.open('f/abc.jpg'))).toString()).toBe('first');
      await onPlain.close();
      await plain.stop();
    });

    it('adds files although the store refuses conditions', async () => {
      setFault(
        { kind: 'refuse', status: 501, code: 'NotImplemented' },
        { match: ({ headers }) => headers['if-none-match'] !== undefined },
      );
      expect(await storage.addNew(await fileOf(Buffer.from('first')), 'f/abc.jpg')).toBe(true);
      expect(await storage.addNew(await fileOf(Buffer.from('second')), 'f/abc.jpg')).toBe(false);
    });

    it.each([
      ['can’t remove several with one request', 501, 'NotImplemented'],
      ['lets only an owner remove several with one request', 403, 'AccessDenied'],
    ])('deletes objects one by one if the store %s', async (_, status, code) => {
      const keys = Array.from({ length: 30 }, (_, n) => `f/abc${n}.jpg`);
      for (const key of keys) await storage.put(key, Buffer.from('x'));
      setFault(
        { kind: 'refuse', status, code },
        { match: ({ method, url = '' }) => method === 'POST' && url.includes('delete') },
      );
      await storage.delete([...keys, 'f/never.jpg']);
      expect(s3.keys()).toEqual([]);
    });
  });
});
