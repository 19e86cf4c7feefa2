import { isZero } from '../bytes/arrays';
import type { ByteView } from '../bytes/byte-view';
import { UnreadableFileError } from '../errors/file-errors';
import { isSoftwareName } from './software-name';

const ENCODER = 'encoder=';
/** Bytes of a text's length, and of the number of comments. */
const LENGTH = 4;
/** Enough of a text to see that it is longer than any program's name. */
const LONGEST_TEXT = 256;
/** Music files have a few dozen comments at most. */
const MAX_COMMENTS = 1000;

/**
 * Removes from a Vorbis comment, in place, what programs don't write about themselves. The vendor and the encoder
 * stay, the comments move up, and the framing bit and zeros follow up to the old length, which every decoder treats
 * as padding (Vorbis I, section 5; RFC 7845, section 5.2). A comment that holds nothing else stays unchanged.
 * `comment` starts at the vendor's length, after the codec's signature.
 */
export function scrubVorbisComment(comment: ByteView): void {
  if (comment.length < 2 * LENGTH) throw new UnreadableFileError('A comment header is too short.');
  const { vendor, comments, end } = readComment(comment);
  const kept = comments.filter(isEncoder).slice(0, 1);
  const isClean = kept.length === comments.length && isSoftwareName(vendor) && isPadding(comment.bytes, end);
  if (isClean) return;
  const texts = [isSoftwareName(vendor) ? vendor : '', ...kept].map((text) => Buffer.from(text, 'latin1'));
  comment.bytes.fill(0);
  const bytes = Buffer.from(comment.bytes.buffer, comment.bytes.byteOffset, comment.length);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at = bytes.writeUInt32LE(text.length, at);
    at += text.copy(bytes, at);
    if (index === 0) at = bytes.writeUInt32LE(kept.length, at);
  }
  if (at < bytes.length) bytes[at] = 1;
}

/** The content of a comment as far as it can be read, and where it ends; -1 if it can't be read to its end. */
function readComment(comment: ByteView): {
  readonly vendor: string;
  readonly comments: readonly string[];
  readonly end: number;
} {
  let at = 0;
  const text = (): string | null => {
    const size = at + LENGTH <= comment.length ? comment.u32le(at) : Infinity;
    if (at + LENGTH + size > comment.length) return null;
    at += LENGTH + size;
    return comment.ascii(at - size, Math.min(size, LONGEST_TEXT));
  };
  const vendor = text();
  if (vendor === null || at + LENGTH > comment.length) return { vendor: '', comments: [], end: -1 };
  const count = comment.u32le(at);
  at += LENGTH;
  const comments: string[] = [];
  while (comments.length < count) {
    const next = text();
    if (next === null || comments.length >= MAX_COMMENTS) return { vendor, comments, end: -1 };
    comments.push(next);
  }
  return { vendor, comments, end: at };
}

function isEncoder(text: string): boolean {
  return (
    text.slice(0, ENCODER.length).toLowerCase() === ENCODER && isSoftwareName(text.slice(ENCODER.length))
  );
}

/** Whether the rest is the framing bit or nothing, and then zeros. */
function isPadding(bytes: Uint8Array, from: number): boolean {
  return from >= 0 && (from >= bytes.length || ((bytes[from] ?? 0) <= 1 && isZero(bytes, from + 1)));
}

/** The second of the three packets with which a Vorbis or Theora stream starts, laced into one. */
export function lacedComment(laced: ByteView): ByteView {
  if (laced.u8(0) !== 2) throw new UnreadableFileError('The codec’s headers can’t be separated.');
  let at = 1;
  const lacedSize = (): number => {
    let size = 0;
    for (;;) {
      const part = laced.u8(at++);
      size += part;
      if (part < 255) return size;
    }
  };
  const first = lacedSize();
  const second = lacedSize();
  return laced.slice(at + first, at + first + second);
}

/** Bytes of `\x03vorbis` and of `\x81theora`. */
export const XIPH_SIGNATURE = 7;
