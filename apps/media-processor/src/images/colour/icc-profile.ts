/** D50 tristimulus values of sRGB's red, green and blue, as in its ICC profiles (IEC 61966-2-1, adapted). */
const SRGB_PRIMARIES = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
};
/** Linear light of the encoded value one half. */
const SRGB_HALF = 0.214;
const TOLERANCE = 0.005;

/**
 * Whether an ICC profile defines sRGB: the same primaries, and a tone curve that agrees at one half (a plain gamma of
 * 2.2 is close enough). Decided by its tags, not its name. A profile that can't be read is not sRGB.
 */
export function isSrgbProfile(profile: Buffer): boolean {
  try {
    const tags = tagsOf(profile);
    for (const [name, expected] of Object.entries(SRGB_PRIMARIES)) {
      const at = tags.get(name);
      if (at === undefined) return false;
      const xyz = xyzAt(profile, at);
      if (xyz.some((value, axis) => Math.abs(value - (expected[axis] ?? 0)) > TOLERANCE)) return false;
    }
    const curve = tags.get('gTRC');
    return curve !== undefined && Math.abs(toneCurveAt(profile, curve)(0.5) - SRGB_HALF) < 2 * TOLERANCE;
  } catch {
    // The profile has offsets that point outside of it.
    return false;
  }
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
