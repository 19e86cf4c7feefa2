import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EnforcedPolicy } from './enforced-policy';
import { S3Error } from './s3-error';

/** Minimum size of every part except the last, in bytes. */
const MIN_PART_BYTES = 5 * 1024 * 1024;

export interface Stored {
  readonly path: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly modifiedAt: Date;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Part {
  readonly path: string;
  readonly size: number;
  readonly md5: string;
}

interface UploadInParts {
  readonly key: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly initiatedAt: Date;
  readonly parts: Map<number, Part>;
}

/**
 * One bucket that behaves like Amazon's: consistent reads, no partial objects, conditional writes, bodies checked against
 * their signed hash.
 */
export class Bucket {
  readonly objects = new Map<string, Stored>();
  readonly uploads = new Map<string, UploadInParts>();
  /** Access keys whose rights come from the policy; without the owner's. */
  readonly accounts = new Set<string>();
  /** Requests of these keys that the policy denied. */
  readonly refusals: string[] = [];
  policy: EnforcedPolicy | null = null;

  constructor(
    readonly name: string,
    /** The id and the secret of the owner's key; the secret is that of the other keys too. */
    private readonly ownerKey: string,
    private readonly folder: string,
    private readonly honoursConditions: boolean,
  ) {}

  secretOf(accessKeyId: string): string | undefined {
    return accessKeyId === this.ownerKey || this.accounts.has(accessKeyId) ? this.ownerKey : undefined;
  }

  /** The bytes of an object from `from` to `to`, both included. */
  async read({ path, size }: Stored, start: number, end: number): Promise<Readable> {
    const handle = await open(path);
    return handle.createReadStream(size > 0 ? { start, end } : {});
  }

  /** Stores the body of a request and returns its etag. `onlyIfFree`: throws if the key is taken. */
  async put(
    key: string,
    request: IncomingMessage,
    metadata: Stored['metadata'],
    onlyIfFree: boolean,
  ): Promise<string> {
    const body = await this.receive(request);
    await this.place(key, { ...body, etag: body.md5, metadata }, onlyIfFree);
    return body.md5;
  }

  async delete(key: string): Promise<void> {
    const stored = this.objects.get(key);
    this.objects.delete(key);
    if (stored) await rm(stored.path, { force: true });
  }

  beginUpload(key: string, metadata: Stored['metadata']): string {
    const uploadId = randomUUID();
    this.uploads.set(uploadId, { key, metadata, initiatedAt: new Date(), parts: new Map() });
    return uploadId;
  }

  async putPart(uploadId: string, number: number, request: IncomingMessage): Promise<string> {
    const part = await this.receive(request);
    const replaced = this.uploadOf(uploadId).parts.get(number);
    if (replaced) await rm(replaced.path);
    this.uploadOf(uploadId).parts.set(number, part);
    return part.md5;
  }

  async completeUpload(
    uploadId: string,
    named: readonly { readonly number: number; readonly etag: string }[],
    onlyIfFree: boolean,
  ): Promise<string> {
    const upload = this.uploadOf(uploadId);
    const parts = named.map(({ number, etag }) => {
      const part = upload.parts.get(number);
      if (!part || part.md5 !== etag) throw new S3Error('InvalidPart');
      return part;
    });
    if (parts.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES)) throw new S3Error('EntityTooSmall');
    const path = this.newPath();
    for (const part of parts)
      await pipeline(createReadStream(part.path), createWriteStream(path, { flags: 'a' }));
    const md5s = createHash('md5');
    for (const { md5 } of parts) md5s.update(md5, 'hex');
    const etag = `${md5s.digest('hex')}-${parts.length}`;
    const { size } = await stat(path);
    await this.place(upload.key, { path, size, etag, metadata: upload.metadata }, onlyIfFree);
    await this.abortUpload(uploadId);
    return etag;
  }

  async abortUpload(uploadId: string): Promise<void> {
    const { parts } = this.uploadOf(uploadId);
    this.uploads.delete(uploadId);
    for (const { path } of parts.values()) await rm(path, { force: true });
  }

  private uploadOf(uploadId: string): UploadInParts {
    const upload = this.uploads.get(uploadId);
    if (!upload) throw new S3Error('NoSuchUpload');
    return upload;
  }

  private async place(key: string, fresh: Omit<Stored, 'modifiedAt'>, onlyIfFree: boolean): Promise<void> {
    if (onlyIfFree && this.honoursConditions && this.objects.has(key)) {
      await rm(fresh.path);
      throw new S3Error('PreconditionFailed');
    }
    const replaced = this.objects.get(key);
    this.objects.set(key, { ...fresh, modifiedAt: new Date() });
    if (replaced) await rm(replaced.path, { force: true });
  }

  /** The body if its length and hash are as announced; otherwise it throws. */
  private async receive(request: IncomingMessage): Promise<Part> {
    const path = this.newPath();
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        md5.update(chunk);
        sha256.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    try {
      await pipeline(request, measure, createWriteStream(path));
      if (size !== Number(request.headers['content-length'])) throw new S3Error('IncompleteBody');
      if (sha256.digest('hex') !== request.headers['x-amz-content-sha256']) throw new S3Error('BadDigest');
      return { path, size, md5: md5.digest('hex') };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  private readonly newPath = (): string => join(this.folder, randomUUID());
}
