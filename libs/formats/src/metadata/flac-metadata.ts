import type { ByteView } from '../bytes/byte-view';
import { scrubVorbisComment } from './vorbis-comment';

const STREAMINFO = 0;
const PADDING = 1;
const VORBIS_COMMENT = 4;
const LAST = 0x80;

/**
 * Turns every FLAC metadata block into padding of the same size, in place (RFC 9639, section 8), except STREAMINFO
 * and the first block of comments, in which the encoder's name is kept.
 */
export function scrubFlacBlocks(blocks: ByteView): void {
  let at = 0;
  let hasComment = false;
  while (at + 4 <= blocks.length) {
    const header = blocks.u8(at);
    const end = Math.min(at + 4 + blocks.u24(at + 1), blocks.length);
    const type = header & ~LAST;
    if (type === VORBIS_COMMENT && !hasComment && end - at >= 12) {
      hasComment = true;
      scrubVorbisComment(blocks.slice(at + 4, end));
    } else if (type !== STREAMINFO) {
      blocks.bytes[at] = (header & LAST) | PADDING;
      blocks.bytes.fill(0, at + 4, end);
    }
    at = end;
    if (header & LAST) break;
  }
  blocks.bytes.fill(0, at);
}
