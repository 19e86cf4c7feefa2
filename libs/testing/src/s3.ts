import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import AWSAccount from 's3rver/lib/models/account';
import { bucketRoutes } from './s3/bucket-routes';
import { Bucket } from './s3/buckets';
import { inflict, type S3Fault } from './s3/faults';
import { freePort } from './service-process';

const BUCKET = 'vitrine-test';
/** The key that s3rver knows by itself: the bucket owner's. */
const KEY = 'S3RVER';

export interface TestS3Options {
  /** False for a store that reads over `If-None-Match`, as some do. */
  readonly honoursConditions?: boolean;
}

/** A bucket of the tests' own, in this process; it speaks S3 over HTTP and is gone with the process. */
export interface TestS3 {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The settings of a process that keeps its files here, below `prefix` of the bucket. */
  settings(prefix?: string): Readonly<Record<string, string>>;
  /** Every key in the bucket, sorted. */
  keys(): readonly string[];
  /** Names of uploads in parts that were begun and neither ended nor aborted. */
  openUploads(): readonly string[];
  /** Makes an account that may do what the bucket's policy lets it; its secret is not checked. */
  addAccount(accessKeyId: string): void;
  /** Requests that the policy did not let such accounts make. */
  refusals(): readonly string[];
  /** Puts an object of one byte under each key, past the protocol. */
  plant(keys: readonly string[]): Promise<void>;
  /** Cuts an object's last byte off, as no store ever should. */
  damage(key: string): Promise<void>;
  /** From now on asks what goes wrong with each request; undefined where nothing does, null for no request at all. */
  interfere(faultOf: ((request: IncomingMessage) => S3Fault | undefined) | null): void;
  stop(): Promise<void>;
}

/** Starts an S3-speaking server: s3rver for the protocol, on a bucket that keeps what Amazon promises. */
export async function startS3({ honoursConditions = true }: TestS3Options = {}): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-s3-'));
  const port = await freePort();
  const bucket = new Bucket(BUCKET, folder, honoursConditions);
  const speaker = new S3rver({ directory: folder, silent: true });
  speaker.store = speaker.context.store = bucket;
  // Behind what writes answers as XML, before s3rver's own routes.
  speaker.middleware.splice(-1, 0, bucketRoutes(bucket));
  const handle = speaker.callback();
  let faultOf: (request: IncomingMessage) => S3Fault | undefined = () => undefined;
  const server = createServer((request, response) => {
    const fault = faultOf(request);
    if (fault) void inflict(fault, request, response, handle);
    else handle(request, response);
  });
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
      const stored = bucket.objects.get(key);
      if (!stored) throw new Error(`No object ${key}`);
      bucket.objects.set(key, { ...stored, size: stored.size - 1 });
      await truncate(stored.path, stored.size - 1);
    },
    interfere: (wanted) => {
      faultOf = wanted ?? (() => undefined);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      speaker.logger.exceptions.unhandle();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
