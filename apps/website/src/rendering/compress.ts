import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

/** A body as it goes over the wire. */
export interface Encoded {
  readonly body: Buffer;
  /** For `Content-Encoding`; undefined where the client takes none of them. */
  readonly encoding: 'br' | 'gzip' | undefined;
}

/**
 * Qualities at which a page comes out within a tenth of the smallest, for a fifth of the time or half of it (measured on
 * a feed of 30 posts, 50 KB: 8.1 KB in 0.08 ms, 7.9 KB in 0.16 ms).
 */
const BROTLI_QUALITY = 1;
const GZIP_LEVEL = 3;

/** Pages that everybody without a session gets alike, feeds above all: as long as they stay the same, compressed once. */
const shared = new LRUCache<string, Buffer>({
  maxSize: 16_000_000,
  sizeCalculation: (body, key) => body.length + key.length,
});

/**
 * Compresses a page. `isShared` says that others are likely to be sent the very same.
 */
export function compress(request: Request, markup: string, isShared: boolean): Encoded {
  // Asked one by one, because browsers name the better one last.
  const encoding = (['br', 'gzip'] as const).find((name) => request.acceptsEncodings(name) === name);
  if (encoding === undefined) return { encoding, body: Buffer.from(markup) };
  if (!isShared) return { encoding, body: compressAs(encoding, markup) };
  const key = `${encoding} ${markup}`;
  let body = shared.get(key);
  if (body === undefined) {
    body = compressAs(encoding, markup);
    shared.set(key, body);
  }
  return { encoding, body };
}

/**
 * Compresses a whole page at once: it is there already, and goes out in one piece. A stream through other threads, as
 * the assets take it, costs several times that.
 */
function compressAs(encoding: 'br' | 'gzip', markup: string): Buffer {
  const bytes = Buffer.from(markup);
  if (encoding === 'gzip') return gzipSync(bytes, { level: GZIP_LEVEL });
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
