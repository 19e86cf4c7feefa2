import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import S3Error from 's3rver/lib/models/error';
import S3Object from 's3rver/lib/models/object';
import type { EnforcedPolicy } from './enforced-policy';

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
 * their signed hash. It replaces s3rver's store, which overwrites objects that are being read, keeps half a body if the
 * sender disconnects, and has no conditions, no list of multipart uploads and no way to complete one.
 */
export class Bucket {
  readonly objects = new Map<string, Stored>();
  readonly uploads = new Map<string, UploadInParts>();
  /** Multipart uploads that were completed on condition that the key was free. */
  readonly conditional = new Set<string>();
  /** Access keys whose rights come from the policy; without the owner's. */
  readonly accounts = new Set<string>();
  /** Requests of these keys that the policy denied. */
  readonly refusals: string[] = [];
  policy: EnforcedPolicy | null = null;

  constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly honoursConditions: boolean,
  ) {}

  // The methods below are called by s3rver.

  async getBucket(name: string): Promise<{ readonly name: string } | null> {
    return name === this.name ? { name } : null;
  }

  async getSubresource(): Promise<null> {
    return null;
  }

  async existsObject(_bucket: string, key: string): Promise<boolean> {
    return this.objects.has(key);
  }

  async getObject(
    bucket: string,
    key: string,
    { start, end }: { readonly start?: number; readonly end?: number } = {},
  ): Promise<S3Object | null> {
    const stored = this.objects.get(key);
    if (!stored) return null;
    const range = { start: start ?? 0, end: Math.min(end ?? Infinity, stored.size - 1) };
    const satisfiable = range.start <= range.end || (start === undefined && stored.size === 0);
    // Opened before any other await, so that it stays readable when the object is replaced.
    const handle = satisfiable ? await open(stored.path) : null;
    const content = handle?.createReadStream(stored.size > 0 ? range : {}) ?? null;
    const object = new S3Object(bucket, key, content, {
      ...stored.metadata,
      etag: JSON.stringify(stored.etag),
      'last-modified': stored.modifiedAt.toUTCString(),
      'content-length': stored.size,
    });
    if (start !== undefined) object.range = range;
    return object;
  }

  async putObject({
    key,
    content,
    metadata,
  }: S3Object): Promise<{ readonly md5: string; readonly size: number }> {
    const request = content as IncomingMessage;
    const body = await this.receive(request);
    await this.place(key, { ...body, etag: body.md5, metadata }, request.headers['if-none-match'] === '*');
    return body;
  }

  async deleteObject(_bucket: string, key: string): Promise<void> {
    const stored = this.objects.get(key);
    this.objects.delete(key);
    if (stored) await rm(stored.path, { force: true });
  }

  async initiateUpload(
    bucket: string,
    key: string,
    uploadId: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { metadata } = new S3Object(bucket, key, null, headers);
    this.uploads.set(uploadId, { key, metadata, initiatedAt: new Date(), parts: new Map() });
  }

  async putPart(_bucket: string, uploadId: string, number: string, content: IncomingMessage): Promise<Part> {
    const part = await this.receive(content);
    const replaced = this.uploadOf(uploadId).parts.get(Number(number));
    if (replaced) await rm(replaced.path);
    this.uploadOf(uploadId).parts.set(Number(number), part);
    return part;
  }

  async putObjectMultipart(
    _bucket: string,
    uploadId: string,
    named: readonly { readonly number: number; readonly etag: string }[],
  ): Promise<{ readonly md5: string; readonly size: number }> {
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
    await this.place(
      upload.key,
      { path, size, etag, metadata: upload.metadata },
      this.conditional.has(uploadId),
    );
    await this.abortUpload(uploadId);
    return { md5: etag, size };
  }

  // The methods below add what s3rver lacks.

  async abortUpload(uploadId: string): Promise<void> {
    const { parts } = this.uploadOf(uploadId);
    this.uploads.delete(uploadId);
    for (const { path } of parts.values()) await rm(path, { force: true });
  }

  private uploadOf(uploadId: string): UploadInParts {
    const upload = this.uploads.get(uploadId);
    if (!upload) throw new S3Error('NoSuchUpload', 'The specified upload does not exist.');
    return upload;
  }

  private async place(key: string, fresh: Omit<Stored, 'modifiedAt'>, onlyIfFree: boolean): Promise<void> {
    if (onlyIfFree && this.honoursConditions && this.objects.has(key)) {
      await rm(fresh.path);
      throw new S3Error(
        'PreconditionFailed',
        'At least one of the pre-conditions you specified did not hold',
      );
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
