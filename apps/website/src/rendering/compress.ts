import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request } from 'express';

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

/**
 * Compresses a whole page at once: it is there already, and goes out in one piece. A stream through other threads, as
 * the assets take it, costs several times that.
 */
export function compress(request: Request, markup: string): Encoded {
  const bytes = Buffer.from(markup);
  // Asked one by one, because browsers name the better one last.
  if (request.acceptsEncodings('br') === 'br') {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return { encoding: 'br', body: brotliCompressSync(bytes, { params }) };
  }
  if (request.acceptsEncodings('gzip') === 'gzip') {
    return { encoding: 'gzip', body: gzipSync(bytes, { level: GZIP_LEVEL }) };
  }
  return { encoding: undefined, body: bytes };
}
