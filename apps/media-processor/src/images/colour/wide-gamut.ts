import { srgbToLight, type ToneCurve } from '@vitrine/formats';
import { isSameCurve, readMatrixProfile, type Xyz } from './icc-profile';
import type { SourceColour } from './source-colour';
import { D50_WHITE, toD50 } from './to-srgb';

/** A tone curve that the profiles written here can hold: sRGB's, or a power function with this exponent. */
type PlainCurve = 'srgb' | number;

/** D50 tristimulus values to linear sRGB (IEC 61966-2-1, adapted with Bradford). */
const D50_TO_SRGB = [
  [3.1339, -1.6169, -0.4906],
  [-0.9788, 1.9161, 0.0335],
  [0.0719, -0.229, 1.4052],
] as const;
/** A primary lies outside of sRGB if it has less than this amount of another primary of sRGB. */
const OUTSIDE = -0.02;
const WHITE_TOLERANCE = 0.02;

/**
 * A profile for pixels in the colour space of `profile`, written from its numbers, so that nothing else of it is
 * passed on. Null if the space has no colours outside of sRGB, or is not three primaries with one plain curve: such
 * pictures are converted to sRGB.
 */
export function compactProfile(profile: Buffer): Buffer | null {
  const space = readMatrixProfile(profile);
  if (!space) return null;
  const curves = [...new Set(space.curves)].map(plainCurve);
  const [curve] = curves;
  if (curve === undefined || curve === null || curves.some((other) => other !== curve)) return null;
  return isWide(space.columns) ? writeProfile(space.columns, curve) : null;
}

/** The same for a colour space that a file declares without a profile. Null for HDR and linear light too. */
export function profileOfColour({ primaries, transfer, isHdr }: SourceColour): Buffer | null {
  if (isHdr || transfer === 'pq' || transfer === 'hlg' || transfer === 'linear') return null;
  const columns = toD50(primaries);
  return isWide(columns) ? writeProfile(columns, transfer) : null;
}

/** Whether primaries are valid (they add up to white), and one of them lies outside of sRGB. */
function isWide(columns: readonly [Xyz, Xyz, Xyz]): boolean {
  const sum = [0, 1, 2].map((axis) => columns.reduce((total, xyz) => total + (xyz[axis] ?? 0), 0));
  if (!sum.every((value, axis) => Math.abs(value - (D50_WHITE[axis] ?? 0)) < WHITE_TOLERANCE)) return false;
  return columns.some(([x, y, z]) => D50_TO_SRGB.some(([r, g, b]) => r * x + g * y + b * z < OUTSIDE));
}

/** sRGB's curve, or the exponent (in steps of 1/256) of the power function; null if the curve is neither. */
function plainCurve(curve: ToneCurve): PlainCurve | null {
  if (isSameCurve(curve, srgbToLight)) return 'srgb';
  const gamma = Math.round((Math.log(curve(0.5)) / Math.log(0.5)) * 256) / 256;
  const isUsual = gamma >= 1 && gamma <= 3;
  return isUsual && isSameCurve(curve, (value) => value ** gamma) ? gamma : null;
}

/** A display profile of version 4.3 (ICC.1:2022) with nothing that names a device, a person or a time. */
function writeProfile(columns: readonly [Xyz, Xyz, Xyz], curve: PlainCurve): Buffer {
  const name = textTag('RGB');
  const tone = curveTag(curve);
  const tags: readonly [name: string, body: Buffer][] = [
    ['desc', name],
    ['cprt', name],
    ['wtpt', xyzTag(D50_WHITE)],
    ['rXYZ', xyzTag(columns[0])],
    ['gXYZ', xyzTag(columns[1])],
    ['bXYZ', xyzTag(columns[2])],
    ['rTRC', tone],
    ['gTRC', tone],
    ['bTRC', tone],
  ];
  const head = Buffer.alloc(132 + tags.length * 12);
  head.writeUInt32BE(0x0430_0000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  // The format needs a time; this is that of its edition.
  [2022, 5, 1].forEach((value, index) => head.writeUInt16BE(value, 24 + index * 2));
  head.write('acsp', 36, 'latin1');
  xyzTag(D50_WHITE).copy(head, 68, 8);
  head.writeUInt32BE(tags.length, 128);
  const places = new Map<Buffer, number>();
  let at = head.length;
  for (const [index, [tag, body]] of tags.entries()) {
    const place = places.get(body) ?? at;
    if (place === at) at += body.length;
    places.set(body, place);
    head.write(tag, 132 + index * 12, 'latin1');
    head.writeUInt32BE(place, 136 + index * 12);
    head.writeUInt32BE(body.length, 140 + index * 12);
  }
  head.writeUInt32BE(at, 0);
  return Buffer.concat([head, ...places.keys()]);
}

function xyzTag(values: Xyz): Buffer {
  const tag = Buffer.alloc(20);
  tag.write('XYZ ', 'latin1');
  values.forEach((value, axis) => tag.writeInt32BE(Math.round(value * 65_536), 8 + axis * 4));
  return tag;
}

/** `para`: type 3 with sRGB's numbers, or type 0 with a gamma. */
function curveTag(curve: PlainCurve): Buffer {
  const values = curve === 'srgb' ? [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] : [curve];
  const tag = Buffer.alloc(12 + values.length * 4);
  tag.write('para', 'latin1');
  tag.writeUInt16BE(curve === 'srgb' ? 3 : 0, 8);
  values.forEach((value, index) => tag.writeInt32BE(Math.round(value * 65_536), 12 + index * 4));
  return tag;
}

/** `mluc` with one text in English, padded to a multiple of four bytes. */
function textTag(text: string): Buffer {
  const tag = Buffer.alloc(28 + Math.ceil(text.length / 2) * 4);
  tag.write('mluc', 'latin1');
  [1, 12].forEach((value, index) => tag.writeUInt32BE(value, 8 + index * 4));
  tag.write('enUS', 16, 'latin1');
  [text.length * 2, 28].forEach((value, index) => tag.writeUInt32BE(value, 20 + index * 4));
  Buffer.from(text, 'utf16le').swap16().copy(tag, 28);
  return tag;
}
