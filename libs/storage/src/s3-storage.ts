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
import { objectKeys } from '@vitrine/contracts';
import { assertObjectKey, isObjectKey } from './object-key';
import {
  type ByteRange,
  type CheckedOutObject,
  type HeldObject,
  type HoldPurpose,
  type ObjectInfo,
  ObjectStorage,
} from './object-storage';
import { type Credentials, refusalOf, S3Calls, type S3Patience, USUAL_PATIENCE } from './s3-calls';
import { METADATA, S3Upload, type UploadTarget } from './s3-upload';
import {
  namingOutages,
  ObjectChangedError,
  ObjectNotFoundError,
  StorageUnavailableError,
} from './storage-errors';
import type { BucketLocation } from './storage-location';
import { UploadSlots } from './upload-slots';

/** Files on their way in at a time; each takes at most two parts of 5 MiB of memory. */
const UPLOADS_AT_A_TIME = 8;
/** What a bucket takes in one request. */
const KEYS_A_DELETION = 1000;
const DELETIONS_AT_A_TIME = 8;
/** Tries to read on, one after another without a byte. */
const FRUITLESS_RESUMPTIONS = 2;

export interface S3StorageOptions {
  readonly location: BucketLocation;
  readonly credentials?: Credentials;
  /** Absolute. */
  readonly scratchDirectory: string;
  readonly patience?: Partial<S3Patience>;
}

/** Bytes of an object from `from` on, as a bucket began to give them. */
interface Opened {
  readonly info: ObjectInfo;
  readonly sha256: string | undefined;
  readonly range: ByteRange;
  readonly body: Readable;
}

/**
 * Objects in a bucket of Amazon S3 or of a store that speaks like it. It counts on what Amazon promises: a write is
 * seen by every read after it, an object is replaced as a whole, `If-None-Match: *` decides who takes a free key.
 * docs/storage.md says what holds where a store promises less.
 */
export class S3Storage extends ObjectStorage {
  private readonly location: BucketLocation;
  private readonly calls: S3Calls;
  private readonly slots: UploadSlots;
  private readonly scratch: string;

  constructor({ location, credentials, scratchDirectory, patience }: S3StorageOptions) {
    super();
    const wholePatience = { ...USUAL_PATIENCE, ...patience };
    this.location = location;
    this.calls = new S3Calls(location, credentials, wholePatience);
    this.slots = new UploadSlots(UPLOADS_AT_A_TIME, wholePatience.turnMs);
    this.scratch = scratchDirectory;
  }

  scratchDirectory(): Promise<string> {
    return namingOutages(async () => {
      await mkdir(this.scratch, { recursive: true, mode: 0o700 });
      return this.scratch;
    });
  }

  async moveIn(path: string, key: string): Promise<void> {
    const upload = new S3Upload(this.calls, this.target(key));
    await namingOutages(() => this.slots.run(() => upload.run(path, { onlyIfFree: false })));
    await rm(path, { force: true });
  }

  async addNew(path: string, key: string): Promise<boolean> {
    // Stores that ignore the condition would overwrite: this look leaves them a moment of doubt in place of a rule.
    if (await this.head(key)) return false;
    const upload = new S3Upload(this.calls, this.target(key));
    return namingOutages(() => this.slots.run(() => upload.run(path, { onlyIfFree: true })));
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const request = new PutObjectCommand({
      ...this.target(key),
      Body: bytes,
      Metadata: { [METADATA.sha256]: sha256 },
    });
    await this.slots.run(() =>
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
      await namingOutages(() => pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
      const { sha256 } = opened;
      if (sha256 !== undefined && sha256 !== hash.digest('hex')) {
        throw new Error(`The bytes of ${key} in the bucket are not those that were stored`);
      }
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { path, release: () => rm(path, { force: true }) };
  }

  async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertObjectKey);
    const failures: unknown[] = [];
    for (let at = 0; at < keys.length; at += KEYS_A_DELETION) {
      await this.deleteTogether(keys.slice(at, at + KEYS_A_DELETION)).catch((error) => failures.push(error));
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

  async abortStaleWrites(before: Date, goOn = (): boolean => true): Promise<number> {
    const { bucket: Bucket, prefix: Prefix } = this.location;
    let aborted = 0;
    let markers: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
    while (markers && goOn()) {
      const request: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
        Bucket,
        Prefix,
        ...markers,
      });
      const page: ListMultipartUploadsCommandOutput = await this.calls.call('list parts', (client, options) =>
        client.send(request, options),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!goOn()) break;
        // A bucket that isn't ours alone may hold uploads of others.
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
      // Without a marker the next page would be this one again, for ever.
      markers = IsTruncated && KeyMarker ? { KeyMarker, UploadIdMarker } : null;
    }
    return aborted;
  }

  async close(): Promise<void> {
    this.calls.close();
  }

  private target(key: string): UploadTarget {
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
        { otherwiseOn: 'AccessDenied' },
      );
      const left = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
      if (left.length === 0) return;
      const codes = [...new Set(left.map(({ Code }) => Code))].join(', ');
      throw new StorageUnavailableError(
        `S3 left ${left.length} of ${keys.length} objects in place: ${codes}`,
      );
    } catch (error) {
      // Some stores can't remove several at once, or only with a header that is out of use, or only for a key that may
      // remove everything in the bucket.
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
    await Promise.all(Array.from({ length: DELETIONS_AT_A_TIME }, removeSome));
    if (failures.length > 0) throw failures[0];
  }

  /** As `get`, of the very version that is held. */
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
    if (!(body instanceof Readable)) throw new StorageUnavailableError('S3 answered without a body');
    // It may fail before anybody listens: whoever reads it hears of that as well.
    body.on('error', () => undefined);
    try {
      return { ...describe(key, answer, range, etag), body };
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  /** All of the bytes that were opened: where the connection breaks, it asks for the rest of the same version. */
  private readOn(key: string, { info, range, body }: Opened): Readable {
    const resume = (from: number): Promise<Opened> => this.getHeld(info, { from, to: range.to });
    const stream = Readable.from(wholeBytes(key, range, body, resume), { objectMode: false });
    // A generator that was never asked for anything doesn't reach its finally.
    return stream.once('close', () => body.destroy());
  }
}

/** Throws unless exactly the range comes out, from the first connection or from those that follow it. */
async function* wholeBytes(
  key: string,
  { from, to }: ByteRange,
  first: Readable,
  resume: (from: number) => Promise<Opened>,
): AsyncGenerator<Buffer> {
  let body = first;
  let bytes = body[Symbol.asyncIterator]();
  let fruitless = 0;
  try {
    for (let at = from; at <= to;) {
      const chunk = await nextOf(bytes);
      if (chunk) {
        at += chunk.length;
        fruitless = 0;
        if (at > to + 1) throw new StorageUnavailableError(`S3 gave more bytes of ${key} than it said`);
        yield chunk;
        continue;
      }
      body.destroy();
      if (++fruitless > FRUITLESS_RESUMPTIONS) {
        throw new StorageUnavailableError(`S3 broke off while ${key} was read, at byte ${at}`);
      }
      ({ body } = await resume(at));
      bytes = body[Symbol.asyncIterator]();
    }
  } finally {
    body.destroy();
  }
}

/** Null where the bytes end or break off; which it is, only the count tells. */
async function nextOf(bytes: AsyncIterator<Buffer>): Promise<Buffer | null> {
  try {
    const next = await bytes.next();
    return next.done ? null : next.value;
  } catch {
    return null;
  }
}

/** What an answer says it holds. Throws where that isn't what was asked for. */
function describe(
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
    throw new StorageUnavailableError(`S3 gave another part of ${key} than the one asked for`);
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
    throw new StorageUnavailableError('S3 told of an object without its size, etag or date');
  }
  return { key, size, modifiedAt: LastModified, etag: ETag.replaceAll('"', '') };
}

const isOurs = (key: string): boolean =>
  isObjectKey(key) && objectKeys.roots.some((root) => key.startsWith(root));

const isAbsent = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(refusalOf(error) ?? '');
