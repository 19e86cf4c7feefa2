import { BitReader } from '../../bytes/bit-reader';
import { SQUARE, type Ratio, type Picture } from '../../facts/displayed-size';

/** ITU-T H.264, table E-1. */
const ASPECTS: readonly (readonly [number, number])[] = [
  [1, 1], [1, 1], [12, 11], [10, 11], [16, 11], [40, 33], [24, 11], [20, 11], [32, 11], [80, 33], [18, 11], [15, 11],
  [64, 33], [160, 99], [4, 3], [3, 2], [2, 1],
]; // prettier-ignore

const PROFILES_WITH_CHROMA: ReadonlySet<number> = new Set([
  100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
]);

/** The bytes of a NAL unit's payload, without emulation prevention bytes. */
function unescaped(nal: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(nal.length);
  let length = 0;
  let zeros = 0;
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

/** Reads an H.264 sequence parameter set, NAL header included (ITU-T H.264, section 7.3.2.1.1). */
export function readH264Sps(nal: Uint8Array): Picture {
  const bits = new BitReader(unescaped(nal.subarray(1)));
  const profile = bits.bits(8);
  bits.skip(16);
  bits.ue();
  let chroma = 1;
  let separatePlanes = false;
  if (PROFILES_WITH_CHROMA.has(profile)) {
    chroma = bits.ue();
    if (chroma === 3) separatePlanes = bits.flag();
    bits.ue();
    bits.ue();
    bits.skip(1);
    if (bits.flag())
      for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) skipScalingList(bits, list < 6 ? 16 : 64);
  }
  bits.ue();
  skipPictureOrder(bits);
  bits.ue();
  bits.skip(1);
  const width = (bits.ue() + 1) * 16;
  const mapUnits = bits.ue() + 1;
  const framesOnly = bits.flag();
  if (!framesOnly) bits.skip(1);
  bits.skip(1);
  const height = mapUnits * 16 * (framesOnly ? 1 : 2);
  const cropX = chroma === 1 || chroma === 2 ? 2 : 1;
  const cropY = (chroma === 1 && !separatePlanes ? 2 : 1) * (framesOnly ? 1 : 2);
  const [left, right, top, bottom] = bits.flag()
    ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()]
    : [0, 0, 0, 0];
  const size = { width: width - (left + right) * cropX, height: height - (top + bottom) * cropY };
  return { size, aspect: bits.flag() && bits.flag() ? readAspect(bits) : SQUARE };
}

function skipScalingList(bits: BitReader, size: number): void {
  if (!bits.flag()) return;
  for (let i = 0, last = 8, next = 8; i < size; i++) {
    if (next !== 0) next = (last + bits.se() + 256) % 256;
    if (next !== 0) last = next;
  }
}

function skipPictureOrder(bits: BitReader): void {
  const type = bits.ue();
  if (type === 0) bits.ue();
  else if (type === 1) {
    bits.skip(1);
    bits.se();
    bits.se();
    for (let left = Math.min(255, bits.ue()); left > 0; left--) bits.se();
  }
}

function readAspect(bits: BitReader): Ratio {
  const index = bits.bits(8);
  if (index === 255) return { num: bits.bits(16), den: bits.bits(16) };
  const [num, den] = ASPECTS[index] ?? [1, 1];
  return { num, den };
}

/**
 * Reads an HEVC sequence parameter set, NAL header included (ITU-T H.265, section 7.3.2.2). Treats pixels as square.
 */
export function readHevcSps(nal: Uint8Array): Picture {
  const bits = new BitReader(unescaped(nal.subarray(2)));
  bits.skip(4);
  const subLayers = bits.bits(3);
  bits.skip(1 + 96);
  const flags = Array.from({ length: subLayers }, () => [bits.flag(), bits.flag()] as const);
  if (subLayers > 0) bits.skip((8 - subLayers) * 2);
  for (const [profile, level] of flags) bits.skip((profile ? 88 : 0) + (level ? 8 : 0));
  bits.ue();
  const chroma = bits.ue();
  if (chroma === 3) bits.skip(1);
  const width = bits.ue();
  const height = bits.ue();
  const [left, right, top, bottom] = bits.flag()
    ? [bits.ue(), bits.ue(), bits.ue(), bits.ue()]
    : [0, 0, 0, 0];
  const cropX = chroma === 1 || chroma === 2 ? 2 : 1;
  const cropY = chroma === 1 ? 2 : 1;
  return {
    size: { width: width - (left + right) * cropX, height: height - (top + bottom) * cropY },
    aspect: SQUARE,
  };
}
