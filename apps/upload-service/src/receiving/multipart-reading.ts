import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { toFormFlag, type UploadTexts } from '@vitrine/contracts/api';
import type { PostOfUpload } from '@vitrine/domain';
import type { PartDigest } from '@vitrine/http';
import type { ScratchFile } from '../scratch/scratch-file';
import { storeFile } from './store-file';
import { refusals } from './upload-errors';
import { isUploadField, readUploadFields } from './upload-fields';

/** Limits of a body. Every text of `fieldSize` bytes is longer than the rules of its field allow. */
const LIMITS = { files: 50, fields: 50, fieldSize: 65_536, parts: 50, headerPairs: 32, headerSize: 16_384 };
/** Whether a part is read as a text, whatever type is declared. */
const isField = (name: string): boolean => name === 'post_id' || name === 'unlisted' || isUploadField(name);
const BUFFER_BYTES = 1 << 18;

/** The parts of an upload's body. */
export interface UploadParts {
  /** SHA-256 of the file's bytes as received. */
  readonly sha256: Buffer;
  readonly postReference: string | null;
  /** Whether the media item stays out of feeds until it is in a public post. */
  readonly unlisted: boolean;
  readonly texts: UploadTexts;
  /** Whether the media item is marked as adult content. */
  readonly isNsfw: boolean;
  /** The post to create of the file; null for none. */
  readonly post: PostOfUpload | null;
  /** Digests of all parts, including unknown ones. */
  readonly digests: readonly PartDigest[];
}

/**
 * Reads the parts of an upload as they arrive. The part `file` is written to a scratch file, and hashed, counted and sniffed
 * meanwhile; the other parts may come before or after it. File names and types that the client declares are ignored,
 * except that a part `file` without a file name is no file if it begins like JSON.
 */
export class MultipartReading {
  /** The stream to write the body to. */
  readonly parser: BusboyInstance;
  /** Resolves when the whole body has been read; rejects as soon as there is a reason to refuse it. */
  readonly parts: Promise<UploadParts>;
  private file: { readonly stream: Readable; readonly stored: Promise<Buffer> } | undefined;
  private postReference: string | null = null;
  private unlisted = false;
  private readonly fields: [string, string][] = [];
  private readonly digests: PartDigest[] = [];

  /**
   * `assertMayPost` is called as soon as a part asks for a post, and refuses the body by what it throws. Throws a refusal
   * if the headers do not describe a multipart body.
   */
  constructor(
    headers: BusboyHeaders,
    private readonly scratch: ScratchFile,
    private readonly maxFileBytes: number,
    private readonly assertMayPost: () => void,
  ) {
    this.parser = this.createParser(headers);
    this.parts = this.listen();
    // The rejection may come before the caller awaits it.
    this.parts.catch(() => undefined);
  }

  /** Stops reading; resolves when nothing writes to the scratch file any longer. */
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
        // Some clients send the file without a file name, or text parts with one, so the part's own name decides. An
        // unknown part is hashed while it is read, whatever its length.
        isPartAFile: (name) => name === undefined || !isField(name),
      });
    } catch {
      throw refusals.unreadableBody();
    }
  }

  private async listen(): Promise<UploadParts> {
    await new Promise<void>((resolve, reject) => {
      this.parser
        .on('file', (name: string | undefined, stream: Readable, filename: string | undefined) => {
          stream.on('error', () => reject(refusals.unreadableBody()));
          if (name !== 'file') return this.digestUnknown(name, stream);
          stream.on('limit', () => reject(refusals.tooLarge(this.maxFileBytes)));
          if (filename !== undefined) return this.readFile(stream, reject);
          beginsWithBrace(stream).then(
            (isText) => (isText ? this.digestUnknown(name, stream) : this.readFile(stream, reject)),
            reject,
          );
        })
        .on('field', (name: string | undefined, value: string, _nameCut: boolean, valueCut: boolean) => {
          this.digests.push({ name: name ?? '', sha256: createHash('sha256').update(value).digest() });
          if (name === 'unlisted') return this.readUnlisted(value, reject);
          if (name !== undefined && isUploadField(name)) return this.readField(name, value, reject);
          // A value that is too long for any post is replaced by one that no post has.
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
    const { postReference, unlisted } = this;
    return { sha256, postReference, unlisted, ...readUploadFields(this.fields, postReference), digests };
  }

  private readFile(stream: Readable, onRefusal: (refusal: Error) => void): void {
    if (this.file) return onRefusal(refusals.several());
    this.file = { stream, stored: storeFile(stream, this.scratch) };
    this.file.stored.catch(onRefusal);
  }

  private readField(name: string, value: string, onRefusal: (refusal: unknown) => void): void {
    this.fields.push([name, value]);
    if (name !== 'post' || !toFormFlag(value)) return;
    try {
      this.assertMayPost();
    } catch (refusal) {
      onRefusal(refusal);
    }
  }

  private readUnlisted(value: string, onRefusal: (refusal: Error) => void): void {
    const flag = toFormFlag(value);
    if (flag === null) return onRefusal(refusals.unlisted());
    this.unlisted = flag;
  }

  /** Hashes an unknown part, because two requests that differ in it are different requests. */
  private digestUnknown(name: string | undefined, stream: Readable): void {
    const hash = createHash('sha256');
    stream
      .on('data', (chunk: Buffer) => hash.update(chunk))
      .on('end', () => this.digests.push({ name: name ?? '', sha256: hash.digest() }));
  }
}

/**
 * Whether a part begins with `{`, which no image or video does: FilePond sends the metadata of a file as JSON under the
 * name of the file. The part can then still be read from its first byte.
 */
async function beginsWithBrace(part: Readable): Promise<boolean> {
  if (part.readableLength === 0 && !part.readableEnded) await once(part, 'readable');
  const first = part.read(1) as Buffer | null;
  if (first) part.unshift(first);
  return first?.toString('latin1') === '{';
}
