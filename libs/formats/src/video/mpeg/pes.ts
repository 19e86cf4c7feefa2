import type { ByteView } from '../../bytes/byte-view';

/** A packet of an elementary stream, by its first bytes (ISO/IEC 13818-1, section 2.4.3.6). */
export interface PesHeader {
  readonly streamId: number;
  /** Presentation time in ticks of 90 kHz; null if there is none. */
  readonly pts: number | null;
  /** Bytes from the start code to the payload. */
  readonly size: number;
  /** The positions of private data and stuffing in the header: `[from, to, fill]`. */
  readonly unused: readonly (readonly [number, number, number])[];
}

const TICKS = 90_000;
const WRAP = 2 ** 33;

/** Reads an MPEG-2 PES header; null if the bytes are none. `view` starts at the start code. */
export function readPesHeader(view: ByteView): PesHeader | null {
  if (view.length < 9 || view.u24(0) !== 1 || (view.u8(6) & 0xc0) !== 0x80) return null;
  const size = 9 + view.u8(8);
  if (size > view.length) return null;
  const flags = view.u8(7);
  const pts = flags & 0x80 && size >= 14 ? timestamp(view, 9) : null;
  return { streamId: view.u8(3), pts, size, unused: unusedParts(view, flags, size) };
}

/**
 * Reads the header of an MPEG-1 packet, after its start code and length (ISO/IEC 11172-1, section 2.4.3.3):
 * its size, these six bytes included, and its time.
 */
export function readMpeg1Header(view: ByteView): { size: number; pts: number | null } {
  let at = 6;
  while (at < view.length && at < 22 && view.u8(at) === 0xff) at++;
  if (at < view.length && view.u8(at) >> 6 === 1) at += 2;
  const kind = at < view.length ? view.u8(at) >> 4 : 0;
  if ((kind === 2 || kind === 3) && at + 5 <= view.length) {
    return { size: at + (kind === 3 ? 10 : 5), pts: timestamp(view, at) };
  }
  return { size: at + 1, pts: null };
}

const PRIVATE_STREAM_1 = 0xbd;

/**
 * Whether a PES packet of sound starts here: by its stream id (ISO/IEC 13818-1, table 2-22), or as a private packet
 * that starts with the sync word of AC-3 or DTS.
 */
export function isSound(view: ByteView): boolean {
  if (view.length < 4 || view.u24(0) !== 1) return false;
  if (view.u8(3) !== PRIVATE_STREAM_1) return view.u8(3) >> 5 === 6;
  const at = readPesHeader(view)?.size ?? view.length;
  if (at + 4 > view.length) return false;
  return view.u16(at) === 0x0b77 || (view.u16(at) === 0x7ffe && view.u16(at + 2) === 0x8001);
}

/** A 33-bit timestamp in 5 bytes. */
export function timestamp(view: ByteView, at: number): number {
  return ((view.u8(at) >> 1) & 7) * 2 ** 30 + (view.u16(at + 1) >> 1) * 2 ** 15 + (view.u16(at + 3) >> 1);
}

function unusedParts(view: ByteView, flags: number, size: number): [number, number, number][] {
  let at = 9 + (flags & 0x80 ? (flags & 0x40 ? 10 : 5) : 0);
  at +=
    (flags & 0x20 ? 6 : 0) +
    (flags & 0x10 ? 3 : 0) +
    (flags & 8 ? 1 : 0) +
    (flags & 4 ? 1 : 0) +
    (flags & 2 ? 2 : 0);
  const parts: [number, number, number][] = [];
  if (flags & 1 && at < size) {
    const extension = view.u8(at++);
    if (extension & 0x80 && at + 16 <= size) parts.push([at, at + 16, 0]);
    at += extension & 0x80 ? 16 : 0;
    if (extension & 0x40) return parts;
    at += (extension & 0x20 ? 2 : 0) + (extension & 0x10 ? 2 : 0);
    if (extension & 1 && at < size) at += 1 + (view.u8(at) & 0x7f);
  }
  if (at < size) parts.push([at, size, 0xff]);
  return parts;
}

/** Measures the time between the first and the last shown picture; timestamps may wrap around once. */
export class PresentationTimes {
  private first: number | null = null;
  private least = 0;
  private greatest = 0;
  private count = 0;

  add(pts: number): void {
    this.first ??= pts;
    let since = pts - this.first;
    if (since < -WRAP / 2) since += WRAP;
    else if (since > WRAP / 2) since -= WRAP;
    this.least = Math.min(this.least, since);
    this.greatest = Math.max(this.greatest, since);
    this.count++;
  }

  /** Seconds. The last picture counts as long as the average one. */
  get duration(): number {
    const span = this.greatest - this.least;
    return (span + (this.count > 1 ? span / (this.count - 1) : 0)) / TICKS;
  }
}
