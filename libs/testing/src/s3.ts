import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket, type Stored } from './s3/buckets';
import { injectFault, type S3Fault } from './s3/faults';
import { answerS3 } from './s3/protocol';
import { freePort } from './service-process';

const BUCKET = 'vitrine-test';
/** The id and the secret of the bucket owner's key. */
const KEY = 'vitrine-test-owner';

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
  /** Creates an account with the rights that the bucket's policy gives it; its secret is the owner's. */
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

/**
 * Starts a small S3 server for tests. It checks what a store checks: the signature and the time of each request (headers, or
 * the query of a signed address), the rights of accounts by the bucket's policy, the length and the SHA-256 of bodies,
 * `If-Match` and `If-None-Match: *`, ranges, the parts of large files and their least size, and pages of 1,000 entries. It
 * knows the requests that `S3Storage` and `grant-storage` send; others get 501. It has no versions, no copies, no checksums
 * beside SHA-256, and finds no bucket by its host name.
 */
export async function startS3({ honoursConditions = true }: TestS3Options = {}): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-s3-'));
  const port = await freePort();
  const bucket = new Bucket(BUCKET, KEY, folder, honoursConditions);
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    void answerS3(bucket, request, response);
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}
