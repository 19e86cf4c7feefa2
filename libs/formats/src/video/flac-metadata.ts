import type { ByteView } from './byte-view';

const STREAMINFO = 0;
const PADDING = 1;
const LAST = 0x80;

/** Turns every FLAC metadata block but STREAMINFO into padding of the same size, in place (RFC 9639, section 8). */
export function scrubFlacBlocks(blocks: ByteView): void {
  let at = 0;
  while (at + 4 <= blocks.length) {
    const header = blocks.u8(at);
    const end = Math.min(at + 4 + blocks.u24(at + 1), blocks.length);
    if ((header & 0x7f) !== STREAMINFO) {
      blocks.bytes[at] = (header & LAST) | PADDING;
      blocks.bytes.fill(0, at + 4, end);
    }
    at = end;
    if (header & LAST) break;
  }
  blocks.bytes.fill(0, at);
}
