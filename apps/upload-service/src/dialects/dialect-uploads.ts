import { Injectable, PayloadTooLargeException } from '@nestjs/common';
import {
  deletionKeyHash,
  InvalidFieldsError,
  type MediaView,
  mintDeletionKey,
  TokensService,
  UnauthenticatedError,
} from '@vitrine/domain';
import { API_PREFIX, presentMedia, type RequestAccess } from '@vitrine/http';
import type { MediaResource } from '@vitrine/contracts/api';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import type { IncomingMessage } from 'node:http';
import { UploadConfig } from '../config/upload.config';
import { askForBody, BASE64_FACTOR, type Uploader, type UploadExchange, Uploads } from '../intake/uploads';
import type { DiskClaim } from '../scratch/disk-reserve';
import { type FormFields, type FormFile, FormReading, type ReceivedForm } from '../receiving/form-reading';
import { FileTooLargeError } from '../receiving/upload-errors';
import { OVERHEAD_BYTES, type ReceivedFile, UploadReceiver } from '../receiving/upload-receiver';
import { readUploadTexts } from '../receiving/upload-fields';

/** Largest file that is received before its token is known. */
const MAX_BYTES_BEFORE_KEY = 16 * 1024 * 1024;

/** How the programs of a dialect upload. */
export interface DialectRules {
  /** The fields that hold files, as bytes or as base64. */
  readonly fileFields: readonly string[];
  /** Absent means one. */
  readonly maxFiles?: number;
  /** The body may be the bytes of the file, without a form. */
  readonly acceptsRaw?: true;
  /** The token may be in the field `key`. If it comes after the file, the file may have at most 16 MiB. */
  readonly keyInBody?: true;
  /**
   * Fields for functions that Vitrine doesn't have. A request with such a field is refused, because ignoring it could
   * do harm.
   */
  readonly refusedFields?: readonly string[];
}

/** A new media item, and the address at which anyone who knows it can delete the item. */
export interface DialectUpload {
  readonly media: MediaResource;
  /** The slug and the deletion key in one text. */
  readonly deletionCode: string;
  readonly deletionUrl: string;
}

/** The content of a form whose files have become media, in the form's order. */
export interface DialectForm {
  readonly fields: FormFields;
  readonly uploads: readonly [DialectUpload, ...DialectUpload[]];
}

/** The uploads of all dialects: one or several files in the forms that their programs send. */
@Injectable()
export class DialectUploads {
  constructor(
    private readonly tokens: TokensService,
    private readonly uploads: Uploads,
    private readonly receiver: UploadReceiver,
    private readonly storage: ObjectStorage,
    private readonly config: UploadConfig,
    private readonly urls: PublicUrlsConfig,
  ) {}

  /**
   * Returns what `present` makes of the new media; undefined if the client closed the connection. Either all files of the
   * form become media or none. A request whose token is in its body has a slot of its address, and disk for 16 MiB until
   * the token is known. Throws the refusals of upload-errors.ts and of the steps of `Uploads`, and
   * `PayloadTooLargeException`.
   */
  async upload<Answer>(
    exchange: UploadExchange,
    rules: DialectRules,
    present: (form: DialectForm) => Answer,
  ): Promise<Answer | undefined> {
    const { access, request } = exchange;
    let leaveSlot: (() => void) | undefined;
    let disk: DiskClaim | undefined;
    try {
      if (!access.caller && !rules.keyInBody) throw new UnauthenticatedError();
      const uploader = access.caller ? this.uploads.uploaderOf(access) : null;
      if (uploader) await this.uploads.admit(uploader, request, true);
      leaveSlot = this.uploads.takeSlot(access, uploader);
      disk = await this.uploads.claimDisk(access, uploader, request, {
        most: uploader ? undefined : MAX_BYTES_BEFORE_KEY,
      });
      return present(await this.receive(exchange, rules, disk, uploader));
    } catch (error) {
      return this.uploads.fail(error instanceof FileTooLargeError ? new PayloadTooLargeException() : error);
    } finally {
      disk?.release();
      leaveSlot?.();
    }
  }

  private async receive(
    { access, request, response }: UploadExchange,
    rules: DialectRules,
    disk: DiskClaim,
    known: Uploader | null,
  ): Promise<DialectForm> {
    const { maxFileBytes } = this.config;
    const maxBytes = Math.ceil(maxFileBytes * BASE64_FACTOR) + OVERHEAD_BYTES;
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new PayloadTooLargeException();
    let uploader = known;
    const reading = new FormReading(request, await this.storage.scratchDirectory(), {
      fileFields: rules.fileFields,
      maxFiles: rules.maxFiles ?? 1,
      maxFileBytes,
      acceptsRaw: rules.acceptsRaw ?? false,
      beforeFile: async (fields) => {
        if (fields.has('key')) uploader ??= await this.uploaderWithKey(fields, access, request, disk);
        return uploader ? maxFileBytes : Math.min(maxFileBytes, MAX_BYTES_BEFORE_KEY);
      },
    });
    askForBody(request, response);
    try {
      const form = await this.receiver.read(request, reading, maxBytes, disk);
      const owner = uploader ?? (await this.uploaderWithKey(form.fields, access, request, disk));
      assertNoRefusedField(request, form.fields, rules);
      return await this.createAll(withTexts(form, request), owner);
    } catch (error) {
      throw error instanceof FileTooLargeError && !uploader ? missingKey() : error;
    } finally {
      reading.discardSoon();
    }
  }

  /**
   * The uploader whose token is in the body, with disk for the whole body. Throws `UnauthenticatedError` for a bad key,
   * `InvalidFieldsError` without one, and as the steps of `Uploads` do.
   */
  private async uploaderWithKey(
    fields: FormFields,
    access: RequestAccess,
    request: IncomingMessage,
    disk: DiskClaim,
  ): Promise<Uploader> {
    const key = fields.get('key')?.[0];
    if (key === undefined) throw missingKey();
    const caller = await this.tokens.authenticate(key);
    if (!caller) throw new UnauthenticatedError();
    const uploader = this.uploads.uploaderOf({ ...access, caller });
    await this.uploads.admit(uploader, request, true);
    await this.uploads.claimDisk(access, uploader, request, { claim: disk });
    return uploader;
  }

  private async createAll({ fields, files }: ReceivedForm, uploader: Uploader): Promise<DialectForm> {
    const keyed = files.map((file) => ({ file, key: mintDeletionKey() }));
    const received = keyed.map(({ file, key }) => receivedFile(file, fields, key));
    const created = await this.uploads.createMedia(received, uploader);
    const [first, ...others] = created.map((view, index) => this.present(view, keyed[index]!.key));
    if (!first) throw new Error('A form without a file was accepted');
    return { fields, uploads: [first, ...others] };
  }

  private present(view: MediaView, key: string): DialectUpload {
    const deletionCode = view.media.slug + key;
    return {
      media: presentMedia(view, this.urls, true),
      deletionCode,
      deletionUrl: deletionUrl(deletionCode, this.urls),
    };
  }
}

/** The media item is unlisted, because the programs of these hosts expect that only a link leads to it. */
const receivedFile = (file: FormFile, fields: FormFields, deletionKey: string): ReceivedFile => ({
  ...file,
  deletionSha256: deletionKeyHash(deletionKey),
  digests: [],
  post: null,
  isNsfw: false,
  texts: readUploadTexts(['title', 'description'].map((name) => [name, fields.get(name)?.[0] ?? ''])),
  postReference: fields.get('album')?.[0] || null,
  unlisted: true,
});

const missingKey = (): InvalidFieldsError =>
  new InvalidFieldsError({
    key: [
      'The key field is required: in the query, as the X-API-Key header, or in the body, before a file of more than 16 MiB.',
    ],
  });

/** The form with the title and the description of the query, where ksnip and Flameshot send them. */
function withTexts(form: ReceivedForm, request: IncomingMessage): ReceivedForm {
  const query = queryOf(request);
  const sent = ['title', 'description'].flatMap((name) => {
    const text = query.get(name);
    return text === null ? [] : [[name, [text]] as const];
  });
  return { ...form, fields: new Map([...sent, ...form.fields]) };
}

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URLSearchParams(/\?(.*)/.exec(url)?.[1] ?? '');

/** How programs say that they don't want an expiry, a limit or a password. Scripts turn missing values into words. */
const NO_VALUES: ReadonlySet<string> = new Set(['', '0', 'never', 'none', 'null', 'undefined']);

/** If an expiry were ignored, a file would stay on the Internet although its owner believes that it was deleted. */
function assertNoRefusedField(
  request: IncomingMessage,
  fields: FormFields,
  { refusedFields = [] }: DialectRules,
): void {
  const query = queryOf(request);
  for (const name of refusedFields) {
    const value = fields.get(name)?.[0] ?? query.get(name) ?? request.headers[name];
    if (value === undefined || value === null || NO_VALUES.has(String(value).toLowerCase())) continue;
    throw new InvalidFieldsError({
      [name]: [`The ${name} field is not supported by this server. Send the file without it.`],
    });
  }
}

/** The public address of the upload host, without a slash at its end. */
const uploadHost = ({ upload }: PublicUrlsConfig): string =>
  upload.endsWith(`/${API_PREFIX}/media`)
    ? upload.slice(0, -`/${API_PREFIX}/media`.length)
    : new URL(upload).origin;

/** The page that deletes a media item for anyone who knows its address. */
const deletionUrl = (code: string, urls: PublicUrlsConfig): string => `${uploadHost(urls)}/d/${code}`;
