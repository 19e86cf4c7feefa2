import { readH264Sps, readHevcSps } from './h26x';
import { readMpeg4Layer, readMpegSequence, readVc1Sequence } from './mpeg-video';
import type { Picture } from '../../facts/displayed-size';

export type ElementaryCodec = 'mpeg' | 'mpeg4' | 'h264' | 'hevc' | 'vc1';

/**
 * For each codec: whether the byte after a start code starts a sequence header, and the reader of that (from this
 * byte on).
 */
const HEADERS: Readonly<
  Record<ElementaryCodec, readonly [(code: number) => boolean, (unit: Uint8Array) => Picture]>
> = {
  mpeg: [(code) => code === 0xb3, (unit) => readMpegSequence(unit.subarray(1))],
  mpeg4: [(code) => code >= 0x20 && code <= 0x2f, (unit) => readMpeg4Layer(unit.subarray(1))],
  h264: [(code) => (code & 0x9f) === 7, readH264Sps],
  hevc: [(code) => code >> 1 === 33, readHevcSps],
  vc1: [(code) => code === 0x0f, (unit) => readVc1Sequence(unit.subarray(1))],
};

/** The picture size in the first sequence header of a part of an elementary stream; null if there is none. */
export function streamPicture(bytes: Uint8Array, codec: ElementaryCodec): Picture | null {
  const [isHeader, read] = HEADERS[codec];
  for (const at of startCodes(bytes)) if (isHeader(bytes[at] ?? 0)) return read(bytes.subarray(at));
  return null;
}

/** The codec by the first start code that shows it; null if none does. */
export function guessCodec(bytes: Uint8Array): ElementaryCodec | null {
  for (const at of startCodes(bytes)) {
    const code = bytes[at] ?? 0;
    if (code === 0xb3) return 'mpeg';
    if (code === 0xb0 || code === 0xb5) return 'mpeg4';
    if (code === 0x0f) return 'vc1';
    if (code === 0x40) return 'hevc';
    if (code === 0x09 || (code & 0x9f) === 7) return 'h264';
  }
  return null;
}

/** The positions after each `00 00 01`. */
function* startCodes(bytes: Uint8Array): Generator<number> {
  for (let at = bytes.indexOf(1, 2); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(1, at + 1)) {
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0) yield at + 1;
  }
}
