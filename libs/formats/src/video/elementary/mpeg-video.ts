import { BitReader } from '../../bytes/bit-reader';
import { SQUARE, type Ratio, type Picture } from '../../facts/displayed-size';

/** Height of a pixel relative to its width, by MPEG-1's code (ISO/IEC 11172-2, section 2.4.3.2). */
const MPEG1_HEIGHTS = [
  0, 1, 0.6735, 0.7031, 0.7615, 0.8055, 0.8437, 0.8935, 0.9157, 0.9815, 1.0255, 1.0695, 1.095, 1.1575, 1.2015,
]; // prettier-ignore
/** Aspect ratio of the whole picture by MPEG-2's code (ISO/IEC 13818-2, table 6-3). */
const MPEG2_SHAPES: Readonly<Record<number, readonly [number, number]>> = {
  2: [4, 3],
  3: [16, 9],
  4: [221, 100],
};
/** ISO/IEC 14496-2, table 6-12. */
const MPEG4_ASPECTS: readonly (readonly [number, number])[] = [[1, 1], [1, 1], [12, 11], [10, 11], [16, 11], [40, 33]]; // prettier-ignore

/** Reads an MPEG-1 or MPEG-2 sequence header; `bytes` start after its start code `00 00 01 b3`. */
export function readMpegSequence(bytes: Uint8Array): Picture {
  const bits = new BitReader(bytes);
  const size = { width: bits.bits(12), height: bits.bits(12) };
  const code = bits.bits(4);
  const extension = mpeg2Extension(bytes);
  if (!extension) {
    const height = MPEG1_HEIGHTS[code] ?? 0;
    return { size, aspect: height ? { num: 1, den: height } : SQUARE };
  }
  extension.skip(4 + 8 + 1 + 2);
  const width = extension.bits(2) * 4096 + size.width;
  const height = extension.bits(2) * 4096 + size.height;
  const [across, down] = MPEG2_SHAPES[code] ?? [width, height];
  return { size: { width, height }, aspect: { num: across * height, den: down * width } };
}

/** The sequence extension that follows MPEG-2's header, after at most two quantiser matrices. */
function mpeg2Extension(bytes: Uint8Array): BitReader | null {
  for (let at = 8; at + 4 < Math.min(bytes.length, 8 + 128 + 8); at++) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue;
    return bytes[at + 3] === 0xb5 && (bytes[at + 4] ?? 0) >> 4 === 1
      ? new BitReader(bytes.subarray(at + 4))
      : null;
  }
  return null;
}

/** Reads an MPEG-4 Visual object layer; `bytes` start after its start code `00 00 01 20` to `2f` (ISO/IEC 14496-2, section 6.2.3). */
export function readMpeg4Layer(bytes: Uint8Array): Picture {
  const bits = new BitReader(bytes);
  bits.skip(1 + 8);
  const version = bits.flag() ? [bits.bits(4), bits.bits(3)][0] : 1;
  const code = bits.bits(4);
  const [num, den] = code === 15 ? [bits.bits(8), bits.bits(8)] : (MPEG4_ASPECTS[code] ?? [1, 1]);
  const aspect: Ratio = { num, den };
  if (bits.flag()) {
    bits.skip(3);
    if (bits.flag()) bits.skip(79);
  }
  const shape = bits.bits(2);
  if (shape === 3 && version !== 1) bits.skip(4);
  bits.skip(1);
  const resolution = bits.bits(16);
  bits.skip(1);
  if (bits.flag()) bits.skip(Math.max(1, Math.ceil(Math.log2(Math.max(1, resolution)))));
  bits.skip(1);
  const width = bits.bits(13);
  bits.skip(1);
  return { size: { width, height: bits.bits(13) }, aspect };
}

/** Reads a VC-1 advanced profile sequence header; `bytes` start after `00 00 01 0f` (SMPTE 421M, section 6.1). */
export function readVc1Sequence(bytes: Uint8Array): Picture {
  const bits = new BitReader(bytes);
  bits.skip(2 + 3 + 2 + 3 + 5 + 1);
  return { size: { width: (bits.bits(12) + 1) * 2, height: (bits.bits(12) + 1) * 2 }, aspect: SQUARE };
}
