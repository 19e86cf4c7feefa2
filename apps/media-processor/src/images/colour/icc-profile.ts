import { lightToValue, srgbToLight } from './srgb-curve';

/** D50 tristimulus values of sRGB's red, green and blue, as in its ICC profiles (IEC 61966-2-1, adapted). */
const SRGB_PRIMARIES = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
] as const;
const TOLERANCE = 0.005;
/** Curves are compared at each code of 12 bits. Profiles whose tables have more entries are removed at upload. */
const LAST_CODE = 4095;
/** One step of 8 bits. */
const SAME_VALUE = 1 / 255;

/**
 * Whether an ICC profile defines sRGB: the same primaries, and for each of them sRGB's tone curve or a plain gamma of
 * 2.2, which is close enough. Decided by its tags, not its name. A profile that can't be read is not sRGB.
 */
export function isSrgbProfile(profile: Buffer): boolean {
  const space = readMatrixProfile(profile);
  return (
    space !== null &&
    space.columns.every((xyz, colour) =>
      xyz.every((value, axis) => Math.abs(value - (SRGB_PRIMARIES[colour]?.[axis] ?? 0)) <= TOLERANCE),
    ) &&
    space.curves.every(
      (curve) => isSameCurve(curve, srgbToLight) || isSameCurve(curve, (value) => value ** 2.2),
    )
  );
}

/** Whether two tone curves agree everywhere, up to one step of 8 bits after the light is encoded as in sRGB. */
export function isSameCurve(curve: ToneCurve, other: ToneCurve): boolean {
  for (let code = 0; code <= LAST_CODE; code++) {
    const [light, expected] = [curve(code / LAST_CODE), other(code / LAST_CODE)];
    const difference = lightToValue(Math.max(0, light)) - lightToValue(expected);
    // Comparisons with NaN are false.
    if (!(Math.abs(difference) <= SAME_VALUE)) return false;
  }
  return true;
}

export type Xyz = readonly [x: number, y: number, z: number];
/** Linear light (0 to 1) of an encoded value (0 to 1). */
export type ToneCurve = (value: number) => number;

/** A colour space of three primaries, as an ICC profile describes it (ICC.1:2022, annex F.3). */
export interface MatrixProfile {
  /** D50 tristimulus values of red, green and blue. */
  readonly columns: readonly [Xyz, Xyz, Xyz];
  /** The tone curves of red, green and blue. */
  readonly curves: readonly [ToneCurve, ToneCurve, ToneCurve];
}

/** The colour space that a profile describes by primaries and tone curves; null if it does so by tables or not at all. */
export function readMatrixProfile(profile: Buffer): MatrixProfile | null {
  try {
    // Tables count before the primaries.
    if (profile.toString('latin1', 16, 24) !== 'RGB XYZ ') return null;
    const tags = tagsOf(profile);
    if (['A2B0', 'A2B1', 'A2B2', 'D2B0', 'D2B1', 'D2B2', 'D2B3'].some((name) => tags.has(name))) return null;
    const at = (name: string): number => tags.get(name) ?? profile.length;
    return {
      columns: [xyzAt(profile, at('rXYZ')), xyzAt(profile, at('gXYZ')), xyzAt(profile, at('bXYZ'))],
      curves: [
        toneCurveAt(profile, at('rTRC')),
        toneCurveAt(profile, at('gTRC')),
        toneCurveAt(profile, at('bTRC')),
      ],
    };
  } catch {
    // A tag is missing, or an offset points outside of the profile.
    return null;
  }
}

function tagsOf(profile: Buffer): Map<string, number> {
  const count = Math.min(profile.readUInt32BE(128), 100);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const entry = 132 + index * 12;
      return [profile.toString('latin1', entry, entry + 4), profile.readUInt32BE(entry + 4)];
    }),
  );
}

const s15Fixed16 = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) / 65_536;

const xyzAt = (profile: Buffer, at: number): Xyz => [
  s15Fixed16(profile, at + 8),
  s15Fixed16(profile, at + 12),
  s15Fixed16(profile, at + 16),
];

/**
 * A tone curve: `curv` (none, gamma, table) or `para` (ICC.1:2022, 10.6 and 10.18). Its values are NaN for any other
 * type. Throws if it does not lie within the profile.
 */
function toneCurveAt(profile: Buffer, at: number): ToneCurve {
  const type = profile.toString('latin1', at, at + 4);
  if (type === 'curv') {
    const count = profile.readUInt32BE(at + 8);
    if (count === 0) return (value) => value;
    if (count === 1) {
      const gamma = profile.readUInt16BE(at + 12) / 256;
      return (value) => value ** gamma;
    }
    const last = count - 1;
    profile.readUInt16BE(at + 12 + last * 2);
    const entry = (index: number): number => profile.readUInt16BE(at + 12 + index * 2) / 65_535;
    return (value) => {
      const below = Math.min(last - 1, Math.floor(value * last));
      return entry(below) + (value * last - below) * (entry(below + 1) - entry(below));
    };
  }
  const kind = type === 'para' ? profile.readUInt16BE(at + 8) : -1;
  const count = [1, 3, 4, 5, 7][kind] ?? 0;
  const values = Array.from({ length: count }, (_, index) => s15Fixed16(profile, at + 12 + index * 4));
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  switch (kind) {
    case 0:
      return (value) => value ** g;
    case 1:
      return (value) => (a * value + b >= 0 ? (a * value + b) ** g : 0);
    case 2:
      return (value) => (a * value + b >= 0 ? (a * value + b) ** g + c : c);
    case 3:
      return (value) => (value >= d ? (a * value + b) ** g : c * value);
    case 4:
      return (value) => (value >= d ? (a * value + b) ** g + e : c * value + f);
    default:
      return () => NaN;
  }
}
