import type { Readable } from 'node:stream';
import type { ByteRange, ObjectInfo } from './object-storage';
import { StorageUnavailableError } from './storage-errors';

/** Attempts in a row to continue a read without receiving a byte. */
const MAX_EMPTY_RESUMES = 2;

/** A response of the bucket with the bytes of an object. */
export interface Opened {
  readonly info: ObjectInfo;
  readonly sha256: string | undefined;
  readonly range: ByteRange;
  readonly body: Readable;
}

/** Yields exactly the range, from the first response or from those that `resume` returns; throws otherwise. */
export async function* wholeBytes(
  key: string,
  { from, to }: ByteRange,
  first: Readable,
  resume: (from: number) => Promise<Opened>,
): AsyncGenerator<Buffer> {
  let body = first;
  let bytes = body[Symbol.asyncIterator]();
  let emptyResumes = 0;
  try {
    for (let at = from; at <= to;) {
      const chunk = await nextOf(bytes);
      if (chunk) {
        at += chunk.length;
        emptyResumes = 0;
        if (at > to + 1) throw new StorageUnavailableError(`S3 sent more bytes of ${key} than announced`);
        yield chunk;
        continue;
      }
      body.destroy();
      if (++emptyResumes > MAX_EMPTY_RESUMES) {
        throw new StorageUnavailableError(`S3 broke off the read of ${key} at byte ${at}`);
      }
      ({ body } = await resume(at));
      bytes = body[Symbol.asyncIterator]();
    }
  } finally {
    body.destroy();
  }
}

/** Null if the bytes end or break off; the caller's count tells which. */
async function nextOf(bytes: AsyncIterator<Buffer>): Promise<Buffer | null> {
  try {
    const next = await bytes.next();
    return next.done ? null : next.value;
  } catch {
    return null;
  }
}
