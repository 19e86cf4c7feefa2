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
      const xyz = [0, 1, 2].map((axis) => s15Fixed16(profile, at + 8 + axis * 4));
      if (xyz.some((value, axis) => Math.abs(value - (expected[axis] ?? 0)) > TOLERANCE)) return false;
    }
    const curve = tags.get('gTRC');
    return curve !== undefined && Math.abs(lightOfHalf(profile, curve) - SRGB_HALF) < 2 * TOLERANCE;
  } catch {
    // The profile has offsets that point outside of it.
    return false;
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

/** The tone curve's value at one half: `curv` (none, gamma, table) and `para` (ICC.1:2010, 10.15). */
function lightOfHalf(profile: Buffer, at: number): number {
  const type = profile.toString('latin1', at, at + 4);
  if (type === 'curv') {
    const count = profile.readUInt32BE(at + 8);
    if (count === 0) return 0.5;
    if (count === 1) return 0.5 ** (profile.readUInt16BE(at + 12) / 256);
    return profile.readUInt16BE(at + 12 + Math.round((count - 1) / 2) * 2) / 65_535;
  }
  if (type !== 'para') return NaN;
  const [g = 1, a = 1, b = 0] = [0, 1, 2].map((index) => s15Fixed16(profile, at + 12 + index * 4));
  // Types 0–4 differ only below their threshold, which is far under one half, and in offsets that are 0 for sRGB.
  return profile.readUInt16BE(at + 8) === 0 ? 0.5 ** g : (a * 0.5 + b) ** g;
}
