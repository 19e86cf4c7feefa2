import { srgbToLight, writeProfile as writePlainProfile, xyzTag, type ToneCurve } from '@vitrine/formats';
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

function writeProfile(columns: readonly [Xyz, Xyz, Xyz], curve: PlainCurve): Buffer {
  const tone = curveTag(curve);
  const header = { version: 4, deviceClass: 'mntr', space: 'RGB ', connectionSpace: 'XYZ ' } as const;
  const colours = [...columns.map(xyzTag), tone, tone, tone];
  const names = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];
  return Buffer.from(
    writePlainProfile(
      header,
      'RGB',
      names.map((name, index) => [name, colours[index] ?? tone]),
    ),
  );
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
