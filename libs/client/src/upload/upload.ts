import type { components } from '../api/api-types';
import { browserRequest, sendForm } from './browser-request';
import { type ByteStream, countedStream, multipartBody, type MultipartFile, piecesOf } from './multipart';
import type { CallOptions, Transport } from '../transport/transport';
import { type Answer, VitrineError } from '../transport/vitrine-error';

type UploadAnswer = components['schemas']['UploadAnswer'];

/** A file whose bytes come as a stream. */
export interface StreamedFile {
  /** Called for each attempt. It must return a new stream each time. */
  readonly open: () => ByteStream;
  readonly name?: string | undefined;
  /** Size in bytes, if known. Progress then has a total, and the service can refuse a file that is too large immediately. */
  readonly size?: number | undefined;
}

/** What can be uploaded. A `ByteStream`, such as a Node.js stream, can be read only once, so its upload is not repeated. */
export type UploadSource = Blob | Uint8Array | ByteStream | StreamedFile;

export interface UploadProgress {
  /** Bytes of the request body that have been sent. */
  readonly sent: number;
  /** Bytes of the whole request body; undefined if the size of the stream is unknown. */
  readonly total: number | undefined;
}

export interface UploadOptions extends CallOptions {
  /** Name of the file. Default: the name of the `File`. */
  readonly name?: string | undefined;
  /** Slug or id of one of your posts; the media item is added to it. */
  readonly postId?: string | number | undefined;
  /** Keeps the media item out of feeds until it is in a public post. */
  readonly unlisted?: boolean | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Describes the picture for people who cannot see it. */
  readonly altText?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Marks the media item as adult content; `posts.upload` marks the post. */
  readonly isNsfw?: boolean | undefined;
  /** Size of a `ByteStream` in bytes, if known. */
  readonly size?: number | undefined;
  /** Called while the body is sent; starts again with each further attempt. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Options of an upload that creates a post. Title, description and tags become those of the post too. */
export interface PostUploadOptions extends Omit<UploadOptions, 'postId'> {
  /** Of the post. Default: `public`. */
  readonly visibility?: components['schemas']['CreatedPost']['visibility'] | undefined;
}

interface Source {
  open(): MultipartFile;
  /** An open stream cannot be read again. */
  readonly once: boolean;
}

/** Uploads one file. Throws `VitrineError`, or the reason of the signal. */
export function upload(
  transport: Transport,
  source: UploadSource,
  options: UploadOptions,
): Promise<UploadAnswer> {
  return send(transport, source, options, {});
}

/** Uploads a file that the upload host fetches from an address. Throws as `upload` does. */
export function uploadFromUrl(
  transport: Transport,
  url: string,
  { signal, idempotencyKey, ...options }: UploadOptions,
): Promise<UploadAnswer> {
  const { uploadUrl } = transport.options;
  if (uploadUrl === undefined) throw new TypeError('The client was created without an uploadUrl.');
  const body = new URLSearchParams({ ...fieldsOf(options), url });
  const send = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    transport.fetch(`${uploadUrl}/url`, {
      method: 'POST',
      headers: { ...headers },
      body,
      ...(signal && { signal }),
    });
  return transport.exchange('POST', { signal, idempotencyKey }, send, false) as Promise<UploadAnswer>;
}

/** Uploads one file and creates a post of it. Throws as `upload` does. */
export async function uploadPost(
  transport: Transport,
  source: UploadSource,
  { visibility, ...options }: PostUploadOptions,
): Promise<Required<UploadAnswer>> {
  const { post, ...answer } = await send(transport, source, options, {
    post: '1',
    ...(visibility !== undefined && { visibility }),
  });
  // A service of an earlier version ignores the fields of the post.
  if (!post) {
    throw new VitrineError({
      code: 'unexpected_answer',
      message: `The service has uploaded the file as ${answer.media.slug}, but has created no post.`,
    });
  }
  return { ...answer, post };
}

async function send(
  transport: Transport,
  source: UploadSource,
  options: UploadOptions,
  fieldsOfPost: Readonly<Record<string, string>>,
): Promise<UploadAnswer> {
  const { uploadUrl } = transport.options;
  if (uploadUrl === undefined) throw new TypeError('The client was created without an uploadUrl.');
  const { open, once } = sourceOf(source, options);
  const fields = { ...fieldsOfPost, ...fieldsOf(options) };
  const Request = transport.options.fetch ? undefined : browserRequest();
  const answer = await transport.exchange(
    'POST',
    options,
    async (headers) => {
      const file = open();
      // Browsers report progress only through XMLHttpRequest, and few of them can send a stream.
      if (Request) return sendForm(new Request(), uploadUrl, await formOf(fields, file), headers, options);
      return sendStream(transport, uploadUrl, fields, file, headers, options);
    },
    once,
  );
  return answer as UploadAnswer;
}

/** The fields of a form besides the file. */
function fieldsOf({
  postId,
  unlisted,
  isNsfw,
  title,
  description,
  altText,
  tags = [],
}: UploadOptions): Record<string, string> {
  return {
    ...(postId !== undefined && { post_id: String(postId) }),
    ...(unlisted !== undefined && { unlisted: String(unlisted) }),
    ...(isNsfw !== undefined && { is_nsfw: String(isNsfw) }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(altText !== undefined && { alt_text: altText }),
    ...Object.fromEntries(tags.map((tag, index) => [`tags[${index}]`, tag])),
  };
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
  if (!isByteStream(source))
    throw new TypeError('The source must be a Blob, a Uint8Array, a stream or an object with open().');
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
    // The request may end before the whole body is read.
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
