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
import { refusalOf, type S3Calls } from './s3-calls';
import { StorageUnavailableError } from './storage-errors';

/** The least that a bucket takes for a part that isn't the last; a smaller file comes in one piece. */
export const PART_BYTES = 5 * 1024 * 1024;
/** Parts of one file under way at a time: with the slots, the memory that uploads take. */
const PARTS_AT_A_TIME = 2;
const HASH_BYTES = 1 << 20;

/** User metadata: the SHA-256 of the bytes, and which write they came with. */
export const METADATA = { sha256: 'sha256', write: 'write' } as const;

export interface UploadTarget {
  readonly Bucket: string;
  readonly Key: string;
}

/** Brings one local file into a bucket, in one piece or in parts; where that fails, nothing of it is left. */
export class S3Upload {
  /** Tells this write from every other to the same key. */
  private readonly write = randomUUID();

  constructor(
    private readonly calls: S3Calls,
    private readonly target: UploadTarget,
  ) {}

  /**
   * Uploads the file at `path`. With `onlyIfFree` the bucket refuses where there is an object under the key: false
   * then. A store that can't refuse overwrites; `HeadObject` before is all that helps there.
   */
  async run(path: string, { onlyIfFree }: { readonly onlyIfFree: boolean }): Promise<boolean> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      await this.send(file, size, onlyIfFree);
      return true;
    } catch (error) {
      if (!onlyIfFree || refusalOf(error) !== 'PreconditionFailed') throw error;
      // A try whose answer was lost may have been the one that took the key.
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
        // Another write to the key was under way: only trying again tells who has it.
        else if (refusal !== 'ConditionalRequestConflict' || attempt === 3) throw meantForCallers(error);
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
    if (!UploadId) throw new StorageUnavailableError('S3 began an upload without a name');
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
          // Joined already by a try whose answer was lost.
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
    // All of them have stopped before the upload is aborted: a part that arrives later would stay for ever.
    const outcomes = await Promise.allSettled(
      Array.from({ length: PARTS_AT_A_TIME }, () =>
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

  /** What it can't abort now, `abortStaleWrites` will. */
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
      // It was stored and is gone again, so it was another write's.
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

/** Nobody outside knows what the bucket's other words would mean to a writer. */
function meantForCallers(error: unknown): unknown {
  const refusal = refusalOf(error);
  if (refusal === null || refusal === 'PreconditionFailed') return error;
  return new StorageUnavailableError(`S3 refused to store: ${refusal}`);
}

/** Fills `bytes` from `offset` of a file on. Throws where the file ends before. */
async function readAt(file: FileHandle, bytes: Buffer, offset: number): Promise<Buffer> {
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) throw new Error('A file to be stored ended before it should');
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
