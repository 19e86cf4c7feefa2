import { randomHex } from '../transport/random-hex';

/** Bytes in pieces: a Node.js stream, a web stream or an async generator. */
export type ByteStream = AsyncIterable<Uint8Array | string> | ReadableByteStream;

/** A web stream. Not every browser can iterate over one. */
export interface ReadableByteStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/** Largest piece in bytes; larger ones are cut, so that progress is reported often. */
const PIECE_BYTES = 1 << 16;

export interface MultipartBody {
  readonly contentType: string;
  /** Bytes of the whole body; undefined if the size of the file is unknown. */
  readonly length: number | undefined;
  readonly pieces: AsyncGenerator<Uint8Array, void, undefined>;
}

export interface MultipartFile {
  readonly name: string;
  readonly bytes: Blob | Uint8Array | ByteStream;
  readonly size: number | undefined;
}

/** Makes a multipart/form-data body (RFC 7578) of some fields and one file. The file is read only as the body is read. */
export function multipartBody(fields: Readonly<Record<string, string>>, file: MultipartFile): MultipartBody {
  const boundary = `vitrine-${randomHex(16)}`;
  const encoder = new TextEncoder();
  const part = (disposition: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
  const head = encoder.encode(
    Object.entries(fields)
      .map(([name, value]) => `${part(`name="${quoted(name)}"`)}${value}\r\n`)
      .join('') +
      part(`name="file"; filename="${quoted(file.name)}"`, 'Content-Type: application/octet-stream\r\n'),
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: file.size === undefined ? undefined : head.length + file.size + tail.length,
    pieces: (async function* () {
      yield head;
      yield* piecesOf(file.bytes);
      yield tail;
    })(),
  };
}

/** Makes a web stream that reads each piece only when it is about to be sent, and calls `sent` with the bytes so far. */
export function countedStream(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  sent: (bytes: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) return controller.close();
        controller.enqueue(Uint8Array.from(value));
        sent((bytes += value.byteLength));
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Iterates over the bytes of a file in pieces. */
export async function* piecesOf(
  bytes: Blob | Uint8Array | ByteStream,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes instanceof Uint8Array) return yield* cut(bytes);
  const encoder = new TextEncoder();
  const source = bytes instanceof Blob ? bytes.stream() : bytes;
  for await (const piece of iterate(source)) {
    yield* cut(typeof piece === 'string' ? encoder.encode(piece) : piece);
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function* iterate(source: ByteStream): AsyncGenerator<Uint8Array | string, void, undefined> {
  if (Symbol.asyncIterator in source) return yield* source;
  const reader = source.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Escapes a name as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"). */
const quoted = (name: string): string => name.replace(/\r\n|\r|\n/g, '%0D%0A').replace(/"/g, '%22');
