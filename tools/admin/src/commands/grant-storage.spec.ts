import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { loadConfig } from '@vitrine/runtime';
import { createStorage, type ObjectStorage, StorageConfig } from '@vitrine/storage';
import { startS3, type TestS3 } from '@vitrine/testing';
import { examine } from '../doctor/check';
import { storageCheck } from '../doctor/storage-check';
import { runAdmin } from '../run-admin';
import { STORAGE_SERVICES } from './storage-policy';

const ORIGINAL = 'f/aB3xY9z.jpg';
const VARIANT = 'f/aB3xY9z_md.webp';
const FRAME = 'frames/aB3xY9z/0.webp';
const BYTES = Buffer.from('bytes');

describe('npm run admin -- grant-storage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-grants-'));
  const before = { ...process.env };
  let s3: TestS3;
  let open: ObjectStorage[] = [];

  beforeEach(async () => {
    s3 = await startS3();
    STORAGE_SERVICES.forEach((name) => s3.addAccount(name));
  });
  afterEach(async () => {
    process.env = { ...before };
    await Promise.all(open.map((each) => each.close()));
    open = [];
    await s3.stop();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const grantStorage = async (settings: Readonly<Record<string, string>>) => {
    Object.assign(process.env, settings);
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    return {
      status: await runAdmin(['grant-storage'], { print: say, complain: say }),
      said: said.join('\n'),
    };
  };

  /** The storage with this key, by default with the owner's. */
  const storageOf = async (key?: string, prefix?: string): Promise<ObjectStorage> => {
    const settings = { ...s3.settings(prefix), ...(key !== undefined && { S3_ACCESS_KEY_ID: key }) };
    const storage = await createStorage(loadConfig(StorageConfig, { ...settings, VITRINE_DATA_DIR: folder }));
    open.push(storage);
    return storage;
  };

  it('gives each service its rights, which it did not have before', async () => {
    await (await storageOf()).put(ORIGINAL, BYTES);
    const processor = await storageOf('media-processor');
    await expect(processor.open(ORIGINAL)).rejects.toThrow('AccessDenied');

    // Each start of an installation does this.
    for (const { status, said } of [await grantStorage(s3.settings()), await grantStorage(s3.settings())]) {
      expect([status, said]).toEqual([0, expect.stringContaining('upload-service, media-processor')]);
    }

    expect(await buffer(await processor.open(ORIGINAL))).toEqual(BYTES);
    await processor.put(VARIANT, BYTES);
    await processor.put(FRAME, BYTES);
    expect(await buffer(await (await storageOf('moderation-service')).open(FRAME))).toEqual(BYTES);
    await (await storageOf('upload-service')).delete([VARIANT, FRAME]);
    expect(s3.keys()).toEqual([ORIGINAL]);
  });

  it('gives media-processor no right to replace or delete an original', async () => {
    await (await storageOf()).put(ORIGINAL, BYTES);
    await grantStorage(s3.settings());

    const processor = await storageOf('media-processor');
    await expect(processor.put(ORIGINAL, Buffer.from('others'))).rejects.toThrow('AccessDenied');
    await expect(processor.delete([ORIGINAL])).rejects.toThrow('AccessDenied');
    const moderation = await storageOf('moderation-service');
    await expect(moderation.open(ORIGINAL)).rejects.toThrow('AccessDenied');
    expect(await buffer(await (await storageOf()).open(ORIGINAL))).toEqual(BYTES);
  });

  it('grants below the prefix of STORAGE_URL', async () => {
    await grantStorage(s3.settings('some/place'));

    await (await storageOf('media-processor', 'some/place')).put(VARIANT, BYTES);
    await expect((await storageOf('media-processor')).put(VARIANT, BYTES)).rejects.toThrow('AccessDenied');
    expect(s3.keys()).toEqual([`some/place/${VARIANT}`]);
  });

  it('lets the doctor check that the store refuses forbidden requests', async () => {
    await grantStorage(s3.settings());
    const settings = { ...s3.settings(), S3_ACCESS_KEY_ID: 'media-processor', VITRINE_DATA_DIR: folder };

    expect(await examine([storageCheck], settings, 30_000)).toEqual([
      expect.objectContaining({
        check: 'storage',
        state: 'problem',
        found: expect.stringContaining('AccessDenied'),
      }),
    ]);
    expect(s3.keys()).toEqual([]);
  });

  it('fails with the key of a service, and on a folder', async () => {
    expect(await grantStorage({ ...s3.settings(), S3_ACCESS_KEY_ID: 'upload-service' })).toEqual({
      status: 1,
      said: expect.stringContaining('S3 refused to set the policy of the bucket: AccessDenied, status 403'),
    });
    const onFolder = { STORAGE_URL: `file://${folder}`, S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' };
    expect(await grantStorage(onFolder)).toEqual({
      status: 1,
      said: 'STORAGE_URL is a folder; only a bucket has accounts.',
    });
  });
});
