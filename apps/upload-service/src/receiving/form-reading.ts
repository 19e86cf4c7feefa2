import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { sniff, SNIFF_BYTES } from '@vitrine/formats';
import { ScratchFile } from '../scratch/scratch-file';
import { decodeFile, limitFile } from './file-content';
import { storeFile } from './store-file';
import { refusals } from './upload-errors';
import type { BodyReading } from './upload-receiver';
import { type FormPiece, readUrlencoded } from './urlencoded-body';

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 16_384;
const LIMITS = {
  files: MAX_FIELDS,
  fields: MAX_FIELDS,
  fieldSize: MAX_FIELD_BYTES,
  parts: MAX_FIELDS,
  headerPairs: 32,
  headerSize: 16_384,
};
const BUFFER_BYTES = 1 << 18;

/** The texts of a form by name, each name with all of its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

/** What a route expects of a body. */
export interface FormRules {
  /** The fields that hold files, as bytes or as base64. */
  readonly fileFields: readonly string[];
  /** 0 for a form without a file. */
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Whether the body may be the bytes of the file, without a form. */
  readonly acceptsRaw: boolean;
  /**
   * Called once with the fields that came before the first file, before that is read. Resolves to the largest size of each
   * file in bytes; rejects to refuse the body.
   */
  readonly beforeFile?: (fields: FormFields) => Promise<number>;
}

/** A file of a form. Only its length and its first bytes have been checked. */
export interface FormFile {
  readonly scratch: ScratchFile;
  /** Of the file's bytes, decoded if it was sent as base64. */
  readonly sha256: Buffer;
}

/** The content of a form; `files` has at least one file unless the rules allow none. */
export interface ReceivedForm {
  readonly fields: FormFields;
  readonly files: readonly FormFile[];
}

/**
 * Reads a form in any of the ways that programs send one: multipart, urlencoded, or only the bytes of a file, whatever
 * type is declared. Files are written to scratch files while they arrive.
 */
export class FormReading implements BodyReading<ReceivedForm> {
  readonly parser: Writable;
  readonly parts: Promise<ReceivedForm>;
  private readonly fields = new Map<string, string[]>();
  private readonly files: FormFile[] = [];
  private readonly scratches: ScratchFile[] = [];
  private readonly streams: Readable[] = [];
  private announced: Promise<number> | undefined;
  private filesBegun = 0;
  /** Settles when everything that has arrived so far is stored. */
  private work: Promise<void> = Promise.resolve();

  /** Throws the refusal of a body of another type. */
  constructor(
    { headers }: IncomingMessage,
    private readonly scratchDirectory: string,
    private readonly rules: FormRules,
  ) {
    const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
    if (type === 'multipart/form-data') {
      const parser = this.createParser({ ...headers, 'content-type': headers['content-type']! });
      this.parser = parser;
      this.parts = this.listen(parser);
    } else {
      const isForm = type === 'application/x-www-form-urlencoded';
      if (type === 'application/json' || (!isForm && !rules.acceptsRaw)) throw refusals.bodyType();
      const body = new PassThrough({ highWaterMark: BUFFER_BYTES });
      this.parser = body;
      this.streams.push(body);
      this.work = isForm ? this.readFormOrFile(body) : this.readFile(body);
      this.parts = this.work.then(() => this.result());
    }
    // The rejection may come before the caller awaits it.
    this.parts.catch(() => undefined);
  }

  async stop(): Promise<void> {
    for (const stream of this.streams) stream.destroy();
    await this.work.catch(() => undefined);
  }

  /** Removes all scratch files in the background. To be called when the files have been used, or the body is refused. */
  discardSoon(): void {
    for (const scratch of this.scratches) scratch.discardSoon();
  }

  private createParser(headers: BusboyHeaders): BusboyInstance {
    try {
      return new Busboy({
        headers,
        limits: LIMITS,
        highWaterMark: BUFFER_BYTES,
        fileHwm: BUFFER_BYTES,
        // Base64 comes in text parts, so the part's own name decides.
        isPartAFile: (name) => name !== undefined && this.rules.fileFields.includes(name),
      });
    } catch {
      throw refusals.unreadableBody();
    }
  }

  private async listen(parser: BusboyInstance): Promise<ReceivedForm> {
    await new Promise<void>((resolve, reject) => {
      const unreadable = (): void => reject(refusals.unreadableBody());
      parser
        .on('file', (_name: string | undefined, stream: Readable) => {
          stream.on('error', unreadable);
          this.streams.push(stream);
          // Called immediately, because only the fields before the file count.
          this.announce().catch(reject);
          this.work = this.work.then(() => this.readFile(stream));
          this.work.catch(reject);
        })
        .on('field', (name: string | undefined, value: string, nameCut: boolean, valueCut: boolean) => {
          if (nameCut || valueCut) return unreadable();
          this.addField(name ?? '', value);
        })
        .on('partsLimit', unreadable)
        .on('filesLimit', unreadable)
        .on('fieldsLimit', unreadable)
        .on('error', unreadable)
        .on('finish', () => resolve());
    });
    await this.work;
    return this.result();
  }

  /** A body that is declared as a form may be a file, because some programs declare every body as a form. */
  private async readFormOrFile(body: AsyncIterable<Buffer>): Promise<void> {
    const pieces = body[Symbol.asyncIterator]();
    let head = Buffer.alloc(0);
    while (head.length < SNIFF_BYTES) {
      const { done, value } = await pieces.next();
      if (done) break;
      head = Buffer.concat([head, value]);
    }
    const whole = following(head, pieces);
    await (this.rules.acceptsRaw && sniff(head) ? this.readFile(whole) : this.readForm(whole));
  }

  private async readForm(body: AsyncIterable<Buffer>): Promise<void> {
    const isFile = (name: string): boolean => this.rules.fileFields.includes(name);
    const pieces = readUrlencoded(body, isFile);
    let names = 0;
    let next: IteratorResult<FormPiece> = await pieces.next();
    while (!next.done) {
      if (!('name' in next.value)) throw refusals.unreadableBody();
      const { name } = next.value;
      if (++names > MAX_FIELDS) throw refusals.unreadableBody();
      const ahead: { piece?: IteratorResult<FormPiece> } = {};
      const value = (async function* () {
        for (;;) {
          const piece = await pieces.next();
          ahead.piece = piece;
          if (piece.done || 'name' in piece.value) return;
          yield piece.value.bytes;
        }
      })();
      if (isFile(name)) await this.readFile(value);
      else this.addField(name, await readText(value));
      next = ahead.piece ?? (await pieces.next());
    }
  }

  private addField(name: string, value: string): void {
    this.fields.set(name, [...(this.fields.get(name) ?? []), value]);
  }

  private async readFile(sent: AsyncIterable<Buffer>): Promise<void> {
    if (++this.filesBegun > this.rules.maxFiles) throw refusals.several(this.rules.maxFiles);
    const maxBytes = await this.announce();
    const scratch = await ScratchFile.create(this.scratchDirectory);
    this.scratches.push(scratch);
    const bytes = limitFile(decodeFile(sent), maxBytes);
    this.files.push({ scratch, sha256: await storeFile(bytes, scratch) });
  }

  private announce(): Promise<number> {
    this.announced ??= this.rules.beforeFile?.(this.fields) ?? Promise.resolve(this.rules.maxFileBytes);
    return this.announced;
  }

  private async result(): Promise<ReceivedForm> {
    await this.announce();
    if (this.files.length === 0 && this.rules.maxFiles > 0) throw refusals.missing();
    return { fields: this.fields, files: this.files };
  }
}

async function* following(head: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

async function readText(value: AsyncIterable<Buffer>): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const piece of value) {
    bytes = Buffer.concat([bytes, piece]);
    if (bytes.length > MAX_FIELD_BYTES) throw refusals.unreadableBody();
  }
  return bytes.toString();
}
