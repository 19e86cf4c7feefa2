import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import AWSAccount from 's3rver/lib/models/account';
import { bucketRoutes } from './s3/bucket-routes';
import { Bucket, type Stored } from './s3/buckets';
import { injectFault, type S3Fault } from './s3/faults';
import { freePort } from './service-process';

const BUCKET = 'vitrine-test';
/** s3rver's built-in key: the bucket owner's. */
const KEY = 'S3RVER';

export interface TestS3Options {
  /** False for a store that ignores `If-None-Match`, as some do. */
  readonly honoursConditions?: boolean;
}

/** A private bucket in this process. It speaks S3 over HTTP and ends with the process. */
export interface TestS3 {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The settings of a process that stores its files here, below `prefix` in the bucket. */
  settings(prefix?: string): Readonly<Record<string, string>>;
  /** Every key in the bucket, sorted. */
  keys(): readonly string[];
  /** Keys of multipart uploads that were neither completed nor aborted. */
  openUploads(): readonly string[];
  /** Creates an account with the rights that the bucket's policy gives it; its secret is not checked. */
  addAccount(accessKeyId: string): void;
  /** Requests of such accounts that the policy denied. */
  refusals(): readonly string[];
  /** Stores an object of one byte under each key, without a request. */
  plant(keys: readonly string[]): Promise<void>;
  /** Removes the last byte of an object, as a faulty store might. */
  damage(key: string): Promise<void>;
  /** Gives an object another etag, as if it had been replaced. */
  replace(key: string): void;
  /** Sets the function that chooses the fault of each further request (undefined: none); null removes the function. */
  setFault(faultOf: ((request: IncomingMessage) => S3Fault | undefined) | null): void;
  stop(): Promise<void>;
}

/** Starts an S3-speaking server: s3rver for the protocol, on a bucket that keeps what Amazon promises. */
export async function startS3({ honoursConditions = true }: TestS3Options = {}): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-s3-'));
  const port = await freePort();
  const bucket = new Bucket(BUCKET, folder, honoursConditions);
  const s3rver = new S3rver({ directory: folder, silent: true });
  s3rver.store = s3rver.context.store = bucket;
  // After the middleware that writes answers as XML, before s3rver's own routes.
  s3rver.middleware.splice(-1, 0, bucketRoutes(bucket));
  const handle = s3rver.callback();
  let faultOf: (request: IncomingMessage) => S3Fault | undefined = () => undefined;
  const server = createServer((request, response) => {
    const fault = faultOf(request);
    if (fault) void injectFault(fault, request, response, handle);
    else handle(request, response);
  });
  const storedAt = (key: string): Stored => {
    const stored = bucket.objects.get(key);
    if (!stored) throw new Error(`No object ${key}`);
    return stored;
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    bucket: BUCKET,
    accessKeyId: KEY,
    secretAccessKey: KEY,
    settings: (prefix = '') => ({
      STORAGE_URL: `s3://${BUCKET}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&path_style=true`,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
    }),
    keys: () => [...bucket.objects.keys()].sort(),
    openUploads: () => [...bucket.uploads.keys()],
    addAccount: (accessKeyId) => {
      AWSAccount.DUMMY_ACCOUNT.createKeyPair(accessKeyId, KEY);
      bucket.accounts.add(accessKeyId);
    },
    refusals: () => bucket.refusals,
    plant: async (keys) => {
      const path = join(folder, 'planted');
      await writeFile(path, 'x');
      const modifiedAt = new Date();
      for (const key of keys)
        bucket.objects.set(key, { path, size: 1, etag: 'planted', modifiedAt, metadata: {} });
    },
    damage: async (key) => {
      const stored = storedAt(key);
      bucket.objects.set(key, { ...stored, size: stored.size - 1 });
      await truncate(stored.path, stored.size - 1);
    },
    replace: (key) => {
      bucket.objects.set(key, { ...storedAt(key), etag: randomUUID() });
    },
    setFault: (wanted) => {
      faultOf = wanted ?? (() => undefined);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      s3rver.logger.exceptions.unhandle();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
