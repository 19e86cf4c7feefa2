import { createHash, randomUUID } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type ObjectAddress, refusalOf, type S3Calls } from './s3-calls';
import { StorageUnavailableError } from './storage-errors';

/** Smallest size of a part that is not the last. A file of at most this size is stored with one request. */
const PART_BYTES = 5 * 1024 * 1024;
/** Simultaneous parts of one file. Together with the slots, it bounds the memory of writes. */
const MAX_PARTS = 2;
const HASH_BYTES = 1 << 20;

/** Names of user metadata: the SHA-256 of the bytes, and the id of the write. */
export const METADATA = { sha256: 'sha256', write: 'write' } as const;

/** Stores one local file in a bucket, with one request or in parts. If that fails, nothing of it is left. */
export class S3Upload {
  /** Id of this write, unlike that of any other write to the same key. */
  private readonly write = randomUUID();

  constructor(
    private readonly calls: S3Calls,
    private readonly target: ObjectAddress,
  ) {}

  /**
   * Uploads the file at `path`. With `onlyIfFree`, returns false if there is an object under the key already. A store
   * without conditional writes overwrites it; a `HeadObject` before is the only protection there.
   */
  async run(path: string, { onlyIfFree }: { readonly onlyIfFree: boolean }): Promise<boolean> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      await this.send(file, size, onlyIfFree);
      return true;
    } catch (error) {
      if (!onlyIfFree || refusalOf(error) !== 'PreconditionFailed') throw error;
      // An earlier attempt whose response was lost may have taken the key.
      return await this.isOurs();
    } finally {
      await file.close();
    }
  }

  private async send(file: FileHandle, size: number, onlyIfFree: boolean): Promise<void> {
    const whole = size <= PART_BYTES;
    for (let attempt = 1; ; attempt++) {
      try {
        return await (whole
          ? this.sendWhole(file, size, onlyIfFree)
          : this.sendParts(file, size, onlyIfFree));
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === 'NotImplemented' && onlyIfFree) onlyIfFree = false;
        // Another write to the key was in progress. Another attempt shows who has the key.
        else if (refusal !== 'ConditionalRequestConflict' || attempt === 3) throw errorForCallers(error);
      }
    }
  }

  private async sendWhole(file: FileHandle, size: number, onlyIfFree: boolean): Promise<void> {
    const Body = await readAt(file, Buffer.allocUnsafe(size), 0);
    const sha256 = createHash('sha256').update(Body).digest('hex');
    const request = new PutObjectCommand({
      ...this.target,
      Body,
      Metadata: this.metadata(sha256),
      ...(onlyIfFree && { IfNoneMatch: '*' }),
    });
    await this.calls.call('store', (client, options) => client.send(request, options), { kind: 'transfer' });
  }

  private async sendParts(file: FileHandle, size: number, onlyIfFree: boolean): Promise<void> {
    const begin = new CreateMultipartUploadCommand({
      ...this.target,
      Metadata: this.metadata(await hashOf(file, size)),
    });
    const { UploadId } = await this.calls.call('begin parts', (client, options) =>
      client.send(begin, options),
    );
    if (!UploadId) throw new StorageUnavailableError('S3 began an upload without an id');
    try {
      const Parts = await this.sendEachPart(file, size, UploadId);
      const end = new CompleteMultipartUploadCommand({
        ...this.target,
        UploadId,
        MultipartUpload: { Parts },
        ...(onlyIfFree && { IfNoneMatch: '*' }),
      });
      await this.calls
        .call('join parts', (client, options) => client.send(end, options), { kind: 'transfer' })
        .catch(async (error: unknown) => {
          // An earlier attempt, whose response was lost, has joined the parts.
          if (refusalOf(error) !== 'NoSuchUpload' || !(await this.isOurs())) throw error;
        });
    } catch (error) {
      await this.abort(UploadId);
      throw error;
    }
    await this.assertSize(size);
  }

  private async sendEachPart(file: FileHandle, size: number, UploadId: string): Promise<CompletedPart[]> {
    const count = Math.ceil(size / PART_BYTES);
    const parts: CompletedPart[] = [];
    const failure = new AbortController();
    let next = 0;
    const sendSome = async (): Promise<void> => {
      const buffer = Buffer.allocUnsafe(PART_BYTES);
      for (let index = next++; index < count && !failure.signal.aborted; index = next++) {
        const from = index * PART_BYTES;
        const Body = await readAt(file, buffer.subarray(0, Math.min(PART_BYTES, size - from)), from);
        const PartNumber = index + 1;
        const request = new UploadPartCommand({ ...this.target, UploadId, PartNumber, Body });
        const { ETag } = await this.calls.call(
          'store a part',
          (client, options) => client.send(request, options),
          {
            kind: 'transfer',
            signal: failure.signal,
          },
        );
        parts[index] = { PartNumber, ETag };
      }
    };
    // All parts must have ended before the upload is aborted, because a part that arrives later would never be removed.
    const outcomes = await Promise.allSettled(
      Array.from({ length: MAX_PARTS }, () =>
        sendSome().catch((error: unknown) => {
          failure.abort();
          throw error;
        }),
      ),
    );
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failed[0]) throw failed[0].reason;
    return parts;
  }

  /** If this fails, `abortStaleWrites` removes the parts later. */
  private async abort(UploadId: string): Promise<void> {
    const request = new AbortMultipartUploadCommand({ ...this.target, UploadId });
    await this.calls
      .call('abort parts', (client, options) => client.send(request, options))
      .catch(() => undefined);
  }

  private async assertSize(size: number): Promise<void> {
    const found = await this.look();
    if (found.ContentLength === size) return;
    throw new StorageUnavailableError(`S3 stored ${found.ContentLength} of ${size} bytes`);
  }

  private async isOurs(): Promise<boolean> {
    const found = await this.look().catch((error: unknown) => {
      // The object has been removed, so another write had stored it.
      if (refusalOf(error) === 'NotFound') return null;
      throw error;
    });
    return found?.Metadata?.[METADATA.write] === this.write;
  }

  private look(): Promise<HeadObjectCommandOutput> {
    const request = new HeadObjectCommand(this.target);
    return this.calls.call('look', (client, options) => client.send(request, options));
  }

  private metadata(sha256: string): Record<string, string> {
    return { [METADATA.sha256]: sha256, [METADATA.write]: this.write };
  }
}

/** Converts errors that callers of the storage do not handle. */
function errorForCallers(error: unknown): unknown {
  const refusal = refusalOf(error);
  if (refusal === null || refusal === 'PreconditionFailed') return error;
  return new StorageUnavailableError(`S3 refused to store: ${refusal}`);
}

/** Fills `bytes` with a file's bytes from `offset` on. Throws if the file ends before. */
async function readAt(file: FileHandle, bytes: Buffer, offset: number): Promise<Buffer> {
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) throw new Error('The file to store is shorter than expected');
    done += bytesRead;
  }
  return bytes;
}

async function hashOf(file: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(HASH_BYTES);
  for (let at = 0; at < size; at += HASH_BYTES) {
    hash.update(await readAt(file, buffer.subarray(0, Math.min(HASH_BYTES, size - at)), at));
  }
  return hash.digest('hex');
}
