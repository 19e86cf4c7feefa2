import { type ByteSource, SourceWindow } from '../../bytes/byte-source';
import { ByteView } from '../../bytes/byte-view';
import { crc32Msb } from '../../bytes/numbers';
import { UnreadableFileError } from '../../errors/file-errors';

const HEADER = 27;
const LONGEST_PAGE = HEADER + 255 + 255 * 255;
const CRC_AT = 22;
/** Ten hours of pages of 20 ms. */
const MAX_PAGES = 2_000_000;
/** Limit of the bytes outside of pages. */
const MAX_STRAY = 1 << 20;

/** A page of one logical stream (RFC 3533, section 6). */
export interface Page {
  readonly start: number;
  readonly end: number;
  readonly serial: number;
  readonly isFirst: boolean;
  /** Time in the codec's own unit; -1 if no packet ends on the page. */
  readonly granule: bigint;
  /** The parts of packets on the page, as offsets in it. The last one may continue on the next page. */
  readonly parts: readonly { readonly from: number; readonly to: number; readonly isEnd: boolean }[];
  readonly view: ByteView;
}

/** All pages of a file in order. Bytes between them are given to `onStray` as `[from, to)`. */
export async function* oggPages(
  source: ByteSource,
  onStray: (from: number, to: number) => void,
): AsyncGenerator<Page> {
  const window = new SourceWindow(source);
  let end = 0;
  let pages = 0;
  let stray = 0;
  for (let at = 0; at + HEADER <= source.size;) {
    const page = readPage(at, await window.at(at, LONGEST_PAGE));
    if (!page) {
      if (++stray > MAX_STRAY) throw new UnreadableFileError('The pages can’t be found.');
      at++;
      continue;
    }
    if (++pages > MAX_PAGES) throw new UnreadableFileError('The file holds too many pages.');
    if (at > end) onStray(end, at);
    yield page;
    at = end = page.end;
  }
  if (end < source.size) onStray(end, source.size);
}

function readPage(start: number, view: ByteView): Page | null {
  if (view.length < HEADER || view.u32(0) !== 0x4f67_6753 || view.u8(4) !== 0) return null;
  const body = HEADER + view.u8(26);
  if (body > view.length) return null;
  const parts: { from: number; to: number; isEnd: boolean }[] = [];
  let [from, to] = [body, body];
  for (let at = HEADER; at < body; at++) {
    const size = view.u8(at);
    to += size;
    if (size === 255 && at + 1 < body) continue;
    parts.push({ from, to, isEnd: size < 255 });
    from = to;
  }
  if (to > view.length) return null;
  return {
    start,
    end: start + to,
    serial: view.u32le(14),
    isFirst: (view.u8(5) & 2) !== 0,
    granule: (BigInt(view.i32le(10)) << 32n) | BigInt(view.u32le(6)),
    parts,
    view: view.slice(0, to),
  };
}

/** Sets a page's checksum, in place (RFC 3533, section 6, field 7). */
export function sealPage(page: ByteView): void {
  const crc = new DataView(page.bytes.buffer, page.bytes.byteOffset);
  crc.setUint32(CRC_AT, 0, true);
  crc.setUint32(CRC_AT, crc32Msb(page.bytes, 0), true);
}
