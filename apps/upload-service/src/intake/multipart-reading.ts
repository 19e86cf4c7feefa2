import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { sniff, SNIFF_BYTES } from '@vitrine/formats';
import type { PartDigest } from '@vitrine/http';
import type { ScratchFile } from './scratch-file';
import { refusals } from './upload-errors';

/** What a body may hold besides the file: `post_id`, `unlisted`, and unknown parts, which are ignored. */
const LIMITS = { files: 50, fields: 50, fieldSize: 1024, parts: 50, headerPairs: 32, headerSize: 16_384 };
/** The parts that are texts, whatever their sender declares. */
const FIELDS: ReadonlySet<string> = new Set(['post_id', 'unlisted']);
const BUFFER_BYTES = 1 << 18;

/** What the parts of an upload's body said. */
export interface UploadParts {
  /** SHA-256 of the file's bytes as they came. */
  readonly sha256: Buffer;
  readonly postReference: string | null;
  /** Whether the sender asks to keep it out of feeds until it is in a public post. */
  readonly unlisted: boolean;
  /** Every part, asked for or not. */
  readonly digests: readonly PartDigest[];
}

/**
 * Takes an upload's parts as they come: the one `file` into a scratch file, hashed, counted and sniffed on the way,
 * and `post_id` and `unlisted` from wherever they stand. Names and types that the sender declares are never looked at.
 */
export class MultipartReading {
  /** The stream to write the body to. */
  readonly parser: BusboyInstance;
  /** The parts once the body has ended well; rejects with a refusal as soon as there is reason for one. */
  readonly parts: Promise<UploadParts>;
  private file: { readonly stream: Readable; readonly stored: Promise<Buffer> } | undefined;
  private postReference: string | null = null;
  private unlisted = false;
  private readonly digests: PartDigest[] = [];

  /** Throws a refusal where the headers announce no multipart body. */
  constructor(
    headers: BusboyHeaders,
    private readonly scratch: ScratchFile,
    private readonly maxFileBytes: number,
  ) {
    this.parser = this.createParser(headers);
    this.parts = this.listen();
    // Whoever waits hears of it; nobody may be waiting yet.
    this.parts.catch(() => undefined);
  }

  /** Ends the reading, whole or not; resolves when nothing writes to the scratch file any more. */
  async stop(): Promise<void> {
    this.file?.stream.destroy();
    await this.file?.stored.catch(() => undefined);
  }

  private createParser(headers: BusboyHeaders): BusboyInstance {
    try {
      return new Busboy({
        headers,
        limits: { ...LIMITS, fileSize: this.maxFileBytes },
        highWaterMark: BUFFER_BYTES,
        fileHwm: BUFFER_BYTES,
        // Some clients send the file without a file name, others any part as bytes: the part's own name says what
        // it is. What nobody asked for is digested as it streams by, whatever its length.
        isPartAFile: (name) => name === undefined || !FIELDS.has(name),
      });
    } catch {
      throw refusals.unreadableBody();
    }
  }

  private async listen(): Promise<UploadParts> {
    await new Promise<void>((resolve, reject) => {
      this.parser
        .on('file', (name: string | undefined, stream: Readable) => {
          stream.on('error', () => reject(refusals.unreadableBody()));
          if (name !== 'file') return this.digestUnasked(name, stream);
          if (this.file) return reject(refusals.several());
          stream.on('limit', () => reject(refusals.tooLarge(this.maxFileBytes)));
          this.file = { stream, stored: this.store(stream) };
          this.file.stored.catch(reject);
        })
        .on('field', (name: string | undefined, value: string, _nameCut: boolean, valueCut: boolean) => {
          this.digests.push({ name: name ?? '', sha256: createHash('sha256').update(value).digest() });
          if (name === 'unlisted') return this.readUnlisted(value, reject);
          // A value too long to be any post's stays one that is none's.
          if (value !== '') this.postReference = valueCut ? '?' : value;
        })
        .on('partsLimit', () => reject(refusals.unreadableBody()))
        .on('filesLimit', () => reject(refusals.unreadableBody()))
        .on('fieldsLimit', () => reject(refusals.unreadableBody()))
        .on('error', () => reject(refusals.unreadableBody()))
        .on('finish', () => resolve());
    });
    if (!this.file) throw refusals.missing();
    const sha256 = await this.file.stored;
    const digests = [...this.digests, { name: 'file', sha256 }];
    return { sha256, postReference: this.postReference, unlisted: this.unlisted, digests };
  }

  private readUnlisted(value: string, refuse: (refusal: Error) => void): void {
    if (value !== 'true' && value !== 'false') refuse(refusals.unlisted());
    this.unlisted = value === 'true';
  }

  /** A part that nobody asked for is read and forgotten; it still makes one request another than the next. */
  private digestUnasked(name: string | undefined, stream: Readable): void {
    const hash = createHash('sha256');
    stream
      .on('data', (chunk: Buffer) => hash.update(chunk))
      .on('end', () => this.digests.push({ name: name ?? '', sha256: hash.digest() }));
  }

  private async store(stream: Readable): Promise<Buffer> {
    const hash = createHash('sha256');
    let prefix: Buffer | null = Buffer.alloc(0);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (prefix) {
        prefix = Buffer.concat([prefix, chunk.subarray(0, SNIFF_BYTES - prefix.length)]);
        if (prefix.length === SNIFF_BYTES) {
          if (!sniff(prefix)) throw refusals.wrongType();
          prefix = null;
        }
      }
      // The system writes while this thread hashes.
      const writing = this.scratch.append(chunk);
      hash.update(chunk);
      await writing;
    }
    if (this.scratch.size === 0) throw refusals.empty();
    if (prefix && !sniff(prefix)) throw refusals.wrongType();
    return hash.digest();
  }
}
