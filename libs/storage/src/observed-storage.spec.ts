import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type S3Fault, startS3, type TestS3 } from '@vitrine/testing';
import { Registry } from 'prom-client';
import { gather } from './object-storage.contract';
import { ObservedStorage } from './observed-storage';
import { S3Storage } from './s3-storage';
import { type BucketLocation, parseStorageUrl } from './storage-location';

const BROKEN: S3Fault = { kind: 'break-off', afterBytes: 10 };
const DENIED: S3Fault = { kind: 'refuse', status: 403, code: 'AccessDenied' };

describe('ObservedStorage', () => {
  let folder: string;
  let s3: TestS3;
  let metrics: Registry;
  let storage: ObservedStorage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-observed-'));
    s3 = await startS3();
  });
  beforeEach(() => {
    metrics = new Registry();
    const location = parseStorageUrl(s3.settings()['STORAGE_URL'] ?? '') as BucketLocation;
    const { accessKeyId, secretAccessKey } = s3;
    const credentials = { accessKeyId, secretAccessKey };
    storage = new ObservedStorage(
      new S3Storage({ location, credentials, scratchDirectory: folder }),
      metrics,
    );
  });
  afterEach(async () => {
    s3.setFault(null);
    await storage.close();
  });
  afterAll(async () => {
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const counts = async (): Promise<readonly string[]> => {
    const { values } = (await metrics.getMetricsAsJSON()).find(
      ({ name }) => name === 'vitrine_storage_operation_seconds',
    ) as { values: { metricName?: string; labels: Record<string, string>; value: number }[] };
    return values
      .filter(({ metricName }) => metricName?.endsWith('_count'))
      .map(({ labels, value }) => `${labels['operation']} ${labels['outcome']} ${value}`)
      .sort();
  };

  it('counts each operation by its outcome', async () => {
    await storage.put('f/abc.jpg', Buffer.from('0123456789'));
    await storage.head('f/abc.jpg');
    await storage.head('f/none.jpg');
    await buffer(await storage.open('f/abc.jpg'));
    await expect(storage.checkOut('f/none.jpg')).rejects.toThrow();
    const held = await storage.hold('f/abc.jpg');
    await gather(await held.read({ from: 1, to: 2 }));
    await held.close();
    s3.setFault(() => DENIED);
    await expect(storage.delete(['f/abc.jpg'])).rejects.toThrow();
    await expect(storage.list('f/')[Symbol.asyncIterator]().next()).rejects.toThrow();
    expect(await counts()).toEqual([
      'check_out absent 1',
      'delete failed 1',
      'head absent 1',
      'head ok 1',
      'hold ok 1',
      'list failed 1',
      'open ok 1',
      'put ok 1',
      'read ok 1',
    ]);
  });

  it('counts reads that fail after the first byte', async () => {
    await storage.put('f/abc.jpg', Buffer.from('0123456789abcdef'));
    s3.setFault(({ method, headers }) => (method !== 'GET' ? undefined : headers.range ? DENIED : BROKEN));
    await expect(storage.open('f/abc.jpg').then(buffer)).rejects.toThrow();
    const held = await storage.hold('f/abc.jpg', 'read');
    await expect(held.read().then(gather)).rejects.toThrow();
    expect(await counts()).toEqual(['hold ok 1', 'open ok 1', 'put ok 1', 'read ok 1', 'stream failed 2']);
  });
});
