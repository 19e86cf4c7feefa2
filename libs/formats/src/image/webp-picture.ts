import { BitReader } from '../bytes/bit-reader';
import { Cursor } from '../bytes/cursor';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import type { Size } from '../facts/displayed-size';
import type { RewriteBuilder } from '../rewriting/rewrite-builder';
import type { WebpChunk } from './webp-chunks';

const START_CODE = 0x2a019d;
const LOSSLESS_SIGNATURE = 0x2f;
/** Bytes of a lossy picture before its first partition, and of the header of its transparency. */
const [LOSSY_HEADER, ALPHA_HEADER] = [10, 1];

/** The byte of a lossless picture's data with the flag of transparency, and that flag. */
const [MARK_AT, MARK] = [4, 0x10];

/** One coded picture: its chunks in the order in which RFC 9649 requires them. */
export interface WebpPicture extends Size {
  /** `ALPH` and `VP8 `, `VP8 ` alone, or `VP8L`. */
  readonly chunks: readonly WebpChunk[];
  readonly hasAlpha: boolean;
  /** Whether a lossless picture says that it has no transparency, so that only some programs show what it has. */
  readonly isUnmarked?: boolean;
}

/**
 * The first picture among chunks; undefined if there is none. Transparency counts only in front of a lossy picture. All
 * other chunks are left out.
 * @throws UnreadableFileError if its header is invalid.
 */
export function findPicture(chunks: readonly WebpChunk[]): WebpPicture | undefined {
  const at = chunks.findIndex(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const picture = chunks[at];
  if (!picture) return undefined;
  if (picture.type === 'VP8L') return readLossless(picture);
  const alpha = chunks.slice(0, at).find(({ type }) => type === 'ALPH');
  const size = readLossy(picture);
  if (alpha) checkAlpha(alpha, size);
  return { ...size, chunks: alpha ? [alpha, picture] : [picture], hasAlpha: alpha !== undefined };
}

/** The header of a key frame (RFC 6386, section 9.1). */
function readLossy({ head, data, dataEnd }: WebpChunk): Size {
  const cursor = new Cursor(head, 0, true);
  const tag = cursor.u24();
  const [isInter, version, isShown, partition] = [tag & 1, (tag >> 1) & 7, (tag >> 4) & 1, tag >> 5];
  const isValid = !isInter && version <= 3 && isShown && cursor.u24() === START_CODE;
  const [width, height] = [cursor.u16() & 0x3fff, cursor.u16() & 0x3fff];
  if (!isValid || width === 0 || height === 0 || partition > dataEnd - data - LOSSY_HEADER)
    throw new UnreadableFileError('The picture of the WebP has an invalid header.');
  return { width, height };
}

/**
 * The header of a lossless picture (RFC 9649, section 3.4). It counts as translucent: whether it is, only its pixels show,
 * and its flag says whether programs look.
 */
function readLossless(chunk: WebpChunk): WebpPicture {
  const bits = new BitReader(chunk.head, 'least');
  const signature = bits.bits(8);
  const [width, height, isMarked, version] = [
    bits.bits(14) + 1,
    bits.bits(14) + 1,
    bits.flag(),
    bits.bits(3),
  ];
  if (signature !== LOSSLESS_SIGNATURE || version !== 0)
    throw new UnreadableFileError('The picture of the WebP has an invalid header.');
  return { width, height, chunks: [chunk], hasAlpha: true, isUnmarked: !isMarked };
}

/** The header of transparency (RFC 9649, section 2.7.1.2): compression, filter, preprocessing, and zeros. */
function checkAlpha({ head: [head = 0], data, dataEnd }: WebpChunk, { width, height }: Size): void {
  const [compression, preprocessing, reserved] = [head & 3, (head >> 4) & 3, head >> 6];
  if (compression > 1 || preprocessing > 1 || reserved !== 0)
    throw new UnsupportedVariantError('WebP with an unknown kind of transparency is not supported.');
  const needed = compression === 0 ? width * height : 1;
  if (dataEnd - data - ALPHA_HEADER < needed)
    throw new UnreadableFileError('The transparency of the WebP ends too early.');
}

/** Keeps the chunks of a picture, and marks a lossless one as perhaps translucent. */
export function keepPicture(builder: RewriteBuilder, { chunks, isUnmarked = false }: WebpPicture): void {
  for (const chunk of chunks) {
    if (!isUnmarked) keepChunk(builder, chunk);
    else {
      const markAt = chunk.data + MARK_AT;
      builder.keep(chunk.start, markAt);
      builder.put(Uint8Array.of((chunk.head[MARK_AT] ?? 0) | MARK));
      keepChunk(builder, { ...chunk, start: markAt + 1 });
    }
  }
}

/** Keeps a chunk, with 0 for its padding byte. */
export function keepChunk(builder: RewriteBuilder, { start, data, dataEnd }: WebpChunk): void {
  builder.keep(start, dataEnd);
  if ((dataEnd - data) % 2 === 1) builder.put(Uint8Array.of(0));
}
