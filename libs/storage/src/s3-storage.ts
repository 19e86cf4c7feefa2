import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { Slots } from '@vitrine/concurrency';
import { objectKeys } from '@vitrine/contracts';
import { LRUCache } from 'lru-cache';
import { keepNew } from './keep-new';
import { assertObjectKey, isObjectKey } from './object-key';
import {
  type ByteRange,
  type CheckedOutObject,
  type HeldObject,
  type HoldPurpose,
  type ObjectInfo,
  ObjectStorage,
} from './object-storage';
import {
  type Credentials,
  type ObjectAddress,
  refusalOf,
  S3Calls,
  type S3Timeouts,
  DEFAULT_TIMEOUTS,
} from './s3-calls';
import { type Opened, wholeBytes } from './s3-resumed-read';
import { METADATA, S3Upload } from './s3-upload';
import {
  reportingOutages,
  ObjectChangedError,
  ObjectNotFoundError,
  StorageUnavailableError,
} from './storage-errors';
import type { BucketLocation } from './storage-location';

/** Simultaneous writes; each takes at most two parts of 5 MiB of memory. */
const MAX_WRITES = 8;
/** Largest number of keys in one request. */
const MAX_DELETED_KEYS = 1000;
const MAX_DELETIONS = 8;
/** A proxy sends a signed request at once, but a signature is used for half of its time. */
const SIGNED_SECONDS = 60;
const MAX_SIGNED = 10_000;

export interface S3StorageOptions {
  readonly location: BucketLocation;
  readonly credentials?: Credentials;
  /** Absolute path. */
  readonly scratchDirectory: string;
  readonly timeouts?: Partial<S3Timeouts>;
}

/**
 * Stores objects in a bucket of Amazon S3 or a compatible store. It relies on Amazon's guarantees: every read after a write
 * sees it, an object is replaced as a whole, and `If-None-Match: *` decides between writers of a free key. docs/storage.md
 * describes what is different for stores with fewer guarantees.
 */
export class S3Storage extends ObjectStorage {
  private readonly location: BucketLocation;
  private readonly calls: S3Calls;
  private readonly slots = new Slots(MAX_WRITES);
  private readonly signed = new LRUCache<string, string>({
    max: MAX_SIGNED,
    ttl: (SIGNED_SECONDS / 2) * 1000,
  });
  private readonly turnMs: number;
  private readonly scratch: string;

  constructor({ location, credentials, scratchDirectory, timeouts }: S3StorageOptions) {
    super();
    const allTimeouts = { ...DEFAULT_TIMEOUTS, ...timeouts };
    this.location = location;
    this.calls = new S3Calls(location, credentials, allTimeouts);
    this.turnMs = allTimeouts.turnMs;
    this.scratch = scratchDirectory;
  }

  scratchDirectory(): Promise<string> {
    return reportingOutages(async () => {
      await mkdir(this.scratch, { recursive: true, mode: 0o700 });
      return this.scratch;
    });
  }

  async moveIn(path: string, key: string): Promise<void> {
    const upload = new S3Upload(this.calls, this.target(key));
    await reportingOutages(() => this.inSlot(() => upload.run(path, { onlyIfFree: false })));
    await rm(path, { force: true });
  }

  async addNew(path: string, key: string): Promise<boolean> {
    // A store that ignores the condition would overwrite the object; this check makes that unlikely.
    if (await this.head(key)) return false;
    const upload = new S3Upload(this.calls, this.target(key));
    return reportingOutages(() => this.inSlot(() => upload.run(path, { onlyIfFree: true })));
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const request = new PutObjectCommand({
      ...this.target(key),
      Body: bytes,
      Metadata: { [METADATA.sha256]: sha256 },
    });
    await this.inSlot(() =>
      this.calls.call('store', (client, options) => client.send(request, options), { kind: 'transfer' }),
    );
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const request = new HeadObjectCommand(this.target(key));
    try {
      const found = await this.calls.call('look', (client, options) => client.send(request, options));
      return infoOf(key, found.ContentLength, found);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return this.readOn(key, await this.get(key, range));
  }

  async hold(key: string, purpose: HoldPurpose = 'look'): Promise<HeldObject> {
    const opened = purpose === 'read' ? await this.get(key) : null;
    const info = opened?.info ?? (await this.head(key));
    if (!info) throw new ObjectNotFoundError(key);
    let unread: Readable | null = opened?.body ?? null;
    return {
      info,
      read: async (range) => {
        const whole = unread !== null && !range ? opened : null;
        if (!whole) unread?.destroy();
        unread = this.readOn(key, whole ?? (await this.getHeld(info, range)));
        return unread;
      },
      close: async () => void unread?.destroy(),
    };
  }

  async checkOut(key: string): Promise<CheckedOutObject> {
    const path = join(await this.scratchDirectory(), `checkout-${randomUUID()}`);
    const opened = await this.get(key);
    const hash = createHash('sha256');
    const bytes = this.readOn(key, opened).on('data', (chunk: Buffer) => hash.update(chunk));
    try {
      await reportingOutages(() => pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
      const { sha256 } = opened;
      if (sha256 !== undefined && sha256 !== hash.digest('hex')) {
        throw new Error(`The bytes of ${key} in the bucket differ from the stored ones`);
      }
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    const letAge = keepNew(path);
    return {
      path,
      release: async () => {
        letAge();
        await rm(path, { force: true });
      },
    };
  }

  async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertObjectKey);
    const failures: unknown[] = [];
    for (let at = 0; at < keys.length; at += MAX_DELETED_KEYS) {
      await this.deleteTogether(keys.slice(at, at + MAX_DELETED_KEYS)).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    const { bucket, prefix: own } = this.location;
    let ContinuationToken: string | undefined;
    do {
      const request = new ListObjectsV2Command({ Bucket: bucket, Prefix: own + prefix, ContinuationToken });
      const page = await this.calls.call('list', (client, options) => client.send(request, options));
      for (const { Key = '', Size, ETag, LastModified } of page.Contents ?? []) {
        const key = Key.slice(own.length);
        if (isObjectKey(key)) yield infoOf(key, Size, { ETag, LastModified });
      }
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  async abortStaleWrites(before: Date, mayContinue = (): boolean => true): Promise<number> {
    const { bucket: Bucket, prefix: Prefix } = this.location;
    let aborted = 0;
    let markers: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
    while (markers && mayContinue()) {
      const request: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
        Bucket,
        Prefix,
        ...markers,
      });
      const page: ListMultipartUploadsCommandOutput = await this.calls.call('list parts', (client, options) =>
        client.send(request, options),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!mayContinue()) break;
        // The bucket may contain uploads of other applications.
        if (!Key || !isOurs(Key.slice(Prefix.length)) || !Initiated || Initiated >= before) continue;
        const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
        await this.calls
          .call('abort parts', (client, options) => client.send(abort, options))
          .catch((error: unknown) => {
            if (refusalOf(error) !== 'NoSuchUpload') throw error;
          });
        aborted++;
      }
      const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      // Without a marker the next request would return the same page again.
      markers = IsTruncated && KeyMarker ? { KeyMarker, UploadIdMarker } : null;
    }
    return aborted;
  }

  async close(): Promise<void> {
    this.calls.close();
  }

  /** Signing takes longer than all else that a request for a popular file needs, so a signature is used more than once. */
  async locateForProxy(key: string): Promise<string> {
    const known = this.signed.get(key);
    if (known !== undefined) return known;
    const fresh = await this.calls.signRead(this.target(key), SIGNED_SECONDS);
    this.signed.set(key, fresh);
    return fresh;
  }

  /** Throws `StorageUnavailableError` if no slot becomes free in time. */
  private inSlot<Result>(upload: () => Promise<Result>): Promise<Result> {
    const late = (): Error =>
      new StorageUnavailableError(`No slot for a write became free within ${this.turnMs} ms`);
    return this.slots.run(upload, { ms: this.turnMs, late });
  }

  private target(key: string): ObjectAddress {
    assertObjectKey(key);
    return { Bucket: this.location.bucket, Key: this.location.prefix + key };
  }

  private async deleteTogether(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const request = new DeleteObjectsCommand({
      Bucket: this.location.bucket,
      Delete: { Quiet: true, Objects: keys.map((key) => ({ Key: this.target(key).Key })) },
    });
    try {
      const { Errors = [] } = await this.calls.call(
        'remove',
        (client, options) => client.send(request, options),
        { handledError: 'AccessDenied' },
      );
      const left = Errors.map(({ Code }) => Code).filter((code) => code !== 'NoSuchKey');
      if (left.length === 0) return;
      const codes = [...new Set(left)].join(', ');
      throw new StorageUnavailableError(
        `S3 left ${left.length} of ${keys.length} objects in place: ${codes}`,
      );
    } catch (error) {
      // Some stores can't delete several objects with one request, or require an obsolete header for it, or a key
      // that may delete everything in the bucket.
      if (refusalOf(error) === null) throw error;
      await this.deleteOneByOne(keys);
    }
  }

  private async deleteOneByOne(keys: readonly string[]): Promise<void> {
    const left = [...keys];
    const failures: unknown[] = [];
    const removeSome = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        const request = new DeleteObjectCommand(this.target(key));
        await this.calls
          .call('remove', (client, options) => client.send(request, options))
          .catch((error: unknown) => isAbsent(error) || failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: MAX_DELETIONS }, removeSome));
    if (failures.length > 0) throw failures[0];
  }

  /** Like `get`, for exactly the version that is held. */
  private async getHeld(info: ObjectInfo, range?: ByteRange): Promise<Opened> {
    try {
      return await this.get(info.key, range, info.etag);
    } catch (error) {
      throw error instanceof ObjectNotFoundError ? new ObjectChangedError(info.key) : error;
    }
  }

  private async get(key: string, range?: ByteRange, etag?: string): Promise<Opened> {
    const request = new GetObjectCommand({
      ...this.target(key),
      ...(range && { Range: `bytes=${range.from}-${range.to}` }),
      ...(etag !== undefined && { IfMatch: `"${etag}"` }),
    });
    let answer: GetObjectCommandOutput;
    try {
      answer = await this.calls.read('read', (client, options) => client.send(request, options));
    } catch (error) {
      if (isAbsent(error)) throw new ObjectNotFoundError(key);
      if (refusalOf(error) === 'PreconditionFailed') throw new ObjectChangedError(key);
      throw error;
    }
    const body = answer.Body;
    if (!(body instanceof Readable)) throw new StorageUnavailableError('S3 responded without a body');
    // An error may come before a reader listens; the reader gets it nevertheless.
    body.on('error', () => undefined);
    try {
      return { ...readHeaders(key, answer, range, etag), body };
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  /** Reads all requested bytes. If the connection breaks, it requests the rest of the same version. */
  private readOn(key: string, { info, range, body }: Opened): Readable {
    const resume = (from: number): Promise<Opened> => this.getHeld(info, { from, to: range.to });
    const stream = Readable.from(wholeBytes(key, range, body, resume), { objectMode: false });
    // A generator that never started does not run its finally block.
    return stream.once('close', () => body.destroy());
  }
}

/** Reads the headers of a response. Throws if they do not match the request. */
function readHeaders(
  key: string,
  answer: GetObjectCommandOutput,
  asked: ByteRange | undefined,
  etag: string | undefined,
): Omit<Opened, 'body'> {
  const given = /^bytes (\d+)-(\d+)\/(\d+)$/
    .exec(answer.ContentRange ?? '')
    ?.slice(1)
    .map(Number);
  const [from = 0, to = (answer.ContentLength ?? 0) - 1, size = answer.ContentLength] = given ?? [];
  if (asked && (!given || from !== asked.from || to > asked.to)) {
    throw new StorageUnavailableError(`S3 sent another part of ${key} than requested`);
  }
  const info = infoOf(key, size, answer);
  if (etag !== undefined && info.etag !== etag) throw new ObjectChangedError(key);
  return { info, range: { from, to }, sha256: answer.Metadata?.[METADATA.sha256] };
}

function infoOf(
  key: string,
  size: number | undefined,
  { ETag, LastModified }: { readonly ETag?: string; readonly LastModified?: Date },
): ObjectInfo {
  if (size === undefined || !ETag || !LastModified) {
    throw new StorageUnavailableError('S3 described an object without its size, etag or date');
  }
  return { key, size, modifiedAt: LastModified, etag: ETag.replace(/^W\//, '').replaceAll('"', '') };
}

const isOurs = (key: string): boolean =>
  isObjectKey(key) && objectKeys.roots.some((root) => key.startsWith(root));

const isAbsent = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(refusalOf(error) ?? '');
