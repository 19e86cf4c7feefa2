import { UnreadableFileError } from '../media-format';
import type { ByteView } from './byte-view';

/**
 * Empties a Vorbis comment in place: no vendor, no comments, then the framing bit and zeroes up to the old
 * length, which every decoder takes for padding (Vorbis I, section 5; RFC 7845, section 5.2). `comment`
 * starts at the vendor's length, after whatever signature the codec puts in front.
 */
export function emptyVorbisComment(comment: ByteView): void {
  if (comment.length < 8) throw new UnreadableFileError('A comment header is too short.');
  comment.bytes.fill(0);
  if (comment.length > 8) comment.bytes[8] = 1;
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
