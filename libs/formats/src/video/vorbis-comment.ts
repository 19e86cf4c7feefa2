import { UnreadableFileError } from '../media-format';
import { isSoftwareName, isZero } from '../software-name';
import type { ByteView } from './byte-view';

const ENCODER = 'encoder=';
/** Bytes of a text's length, and of the number of comments. */
const LENGTH = 4;
/** Enough of a text to see that it is longer than any name. */
const LONGEST_TEXT = 256;
/** Somebody tags music with some dozen. */
const MAX_COMMENTS = 1000;

/**
 * Takes out of a Vorbis comment, in place, what programs do not write of themselves: the vendor and the encoder stay,
 * comments move up, then come the framing bit and zeroes up to the old length, which every decoder takes for padding
 * (Vorbis I, section 5; RFC 7845, section 5.2). One that says nothing else stays as it is. `comment` starts at the
 * vendor's length, after whatever signature the codec puts in front.
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

/** What a comment holds, as far as it can be read, and where it ends; -1 where it cannot be read to its end. */
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

/** The framing bit or nothing, then zeroes. */
function isPadding(bytes: Uint8Array, from: number): boolean {
  return from >= 0 && (from >= bytes.length || ((bytes[from] ?? 0) <= 1 && isZero(bytes, from + 1)));
}

/** The second of the three packets that a Vorbis or Theora stream starts with, where all are laced into one. */
export function lacedComment(laced: ByteView): ByteView {
  if (laced.u8(0) !== 2) throw new UnreadableFileError('The codec’s headers can’t be told apart.');
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

/** Bytes of `\x03vorbis` and `\x81theora`. */
export const XIPH_SIGNATURE = 7;
