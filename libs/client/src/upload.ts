import type { components } from './api-types';
import { browserRequest, sendForm } from './browser-request';
import { type ByteStream, countedStream, multipartBody, type MultipartFile, piecesOf } from './multipart';
import type { CallOptions, Transport } from './transport';
import type { Answer } from './vitrine-error';

type UploadAnswer = components['schemas']['UploadAnswer'];

/** A file whose bytes come as a stream. */
export interface StreamedFile {
  /** Called for each try; a stream that was opened before allows one try only: see `stream`. */
  readonly open: () => ByteStream;
  readonly name?: string | undefined;
  /** Bytes, where they are known: then progress has a total, and the service can refuse what is too large at once. */
  readonly size?: number | undefined;
}

/** What can be uploaded. A `ByteStream` (a Node.js stream, say) is read once, so it gets one try. */
export type UploadSource = Blob | Uint8Array | ByteStream | StreamedFile;

export interface UploadProgress {
  /** Bytes of the request's body that have left. */
  readonly sent: number;
  /** Bytes of the whole body; undefined where the size of a stream isn't known. */
  readonly total: number | undefined;
}

export interface UploadOptions extends CallOptions {
  /** The file's name; that of a `File` where absent. */
  readonly name?: string | undefined;
  /** Slug or id of a post of one's own that the media joins. */
  readonly postId?: string | number | undefined;
  /** Keeps it out of feeds until it is in a public post. */
  readonly unlisted?: boolean | undefined;
  /** Bytes of a `ByteStream`, where they are known. */
  readonly size?: number | undefined;
  /** Told as the body leaves; begins anew with each further try. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

interface Source {
  open(): MultipartFile;
  /** A stream that is open already can't be read again. */
  readonly once: boolean;
}

/** Sends one file to the upload host. Throws `VitrineError`, or the reason of the signal. */
export async function upload(
  transport: Transport,
  source: UploadSource,
  options: UploadOptions,
): Promise<UploadAnswer> {
  const { uploadUrl } = transport.options;
  if (uploadUrl === undefined) throw new TypeError('The client was made without an uploadUrl.');
  const { open, once } = sourceOf(source, options);
  const { postId, unlisted } = options;
  const fields: Record<string, string> = {
    ...(postId !== undefined && { post_id: String(postId) }),
    ...(unlisted !== undefined && { unlisted: String(unlisted) }),
  };
  const Request = transport.options.fetch ? undefined : browserRequest();
  const answer = await transport.exchange(
    'POST',
    options,
    async (headers) => {
      const file = open();
      // Browsers tell of progress through XMLHttpRequest alone, and few of them can send a stream.
      if (Request) return sendForm(new Request(), uploadUrl, await formOf(fields, file), headers, options);
      return sendStream(transport, uploadUrl, fields, file, headers, options);
    },
    once,
  );
  return answer as UploadAnswer;
}

function sourceOf(source: UploadSource, { name, size }: UploadOptions): Source {
  if (source instanceof Blob) {
    const ownName = 'name' in source && typeof source.name === 'string' ? source.name : undefined;
    const file = { bytes: source, name: name ?? ownName ?? 'file', size: source.size };
    return { open: () => file, once: false };
  }
  if (source instanceof Uint8Array) {
    const file = { bytes: source, name: name ?? 'file', size: source.byteLength };
    return { open: () => file, once: false };
  }
  if ('open' in source && !isByteStream(source)) {
    const common = { name: name ?? source.name ?? 'file', size: size ?? source.size };
    return { open: () => ({ ...common, bytes: source.open() }), once: false };
  }
  if (!isByteStream(source)) throw new TypeError('This is nothing that can be uploaded.');
  return { open: () => ({ bytes: source, name: name ?? 'file', size }), once: true };
}

const isByteStream = (source: object): source is ByteStream =>
  Symbol.asyncIterator in source || 'getReader' in source;

async function sendStream(
  transport: Transport,
  url: string,
  fields: Readonly<Record<string, string>>,
  file: MultipartFile,
  headers: Readonly<Record<string, string>>,
  { signal, onProgress }: UploadOptions,
): Promise<Answer> {
  const { contentType, length, pieces } = multipartBody(fields, file);
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': contentType,
      ...(length !== undefined && { 'Content-Length': String(length) }),
    },
    body: countedStream(pieces, (sent) => onProgress?.({ sent, total: length })),
    duplex: 'half',
    ...(signal && { signal }),
  };
  try {
    return await transport.fetch(url, init);
  } finally {
    // An answer may come before the whole body is asked for, or none; either way nobody reads on.
    pieces.return().catch(() => undefined);
  }
}

async function formOf(fields: Readonly<Record<string, string>>, file: MultipartFile): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', await blobOf(file.bytes), file.name);
  return form;
}

async function blobOf(bytes: MultipartFile['bytes']): Promise<Blob> {
  if (bytes instanceof Blob) return bytes;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of piecesOf(bytes)) pieces.push(Uint8Array.from(piece));
  return new Blob(pieces);
}
