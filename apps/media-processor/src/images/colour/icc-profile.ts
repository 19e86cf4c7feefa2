import { lightToValue, readToneCurve, srgbToLight, type ToneCurve } from '@vitrine/formats';

/** D50 tristimulus values of sRGB's red, green and blue, as in its ICC profiles (IEC 61966-2-1, adapted). */
const SRGB_PRIMARIES = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
] as const;
const TOLERANCE = 0.005;
/** Curves are compared at each code of 12 bits. No table that `readToneCurve` accepts has more entries. */
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
    [...new Set(space.curves)].every(
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
    const curve = (from: number): ToneCurve | null => readToneCurve(profile.subarray(from));
    const [r, g, b] = sharedBy(['rTRC', 'gTRC', 'bTRC'].map(at), curve);
    if (!r || !g || !b) return null;
    return {
      columns: [xyzAt(profile, at('rXYZ')), xyzAt(profile, at('gXYZ')), xyzAt(profile, at('bXYZ'))],
      curves: [r, g, b],
    };
  } catch {
    // A tag is missing, or an offset points outside of the profile.
    return null;
  }
}

/** The tone curve of a profile of grey; null if it has none. */
export function readGreyCurve(profile: Buffer): ToneCurve | null {
  if (profile.toString('latin1', 16, 20) !== 'GRAY') return null;
  const at = tagsOf(profile).get('kTRC');
  return at === undefined ? null : readToneCurve(profile.subarray(at));
}

/** The results of `read` in the order of `keys`, one for equal keys: to compare a curve takes about a millisecond. */
function sharedBy<Result>(keys: readonly number[], read: (key: number) => Result): readonly Result[] {
  const results = new Map(keys.map((key) => [key, read(key)]));
  return keys.map((key) => results.get(key)!);
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
