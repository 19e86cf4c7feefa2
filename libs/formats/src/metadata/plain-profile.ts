import { ByteView } from '../bytes/byte-view';
import { hasAscii } from '../bytes/text';
import { isPlainTable } from './profile-table';
import { isPlainCurve, readToneCurve } from './tone-curve';

/** The colour space of the pixels that a profile describes. */
export type ProfileSpace = 'RGB ' | 'GRAY' | 'CMYK';

export interface ProfileTag {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const VERSION_AT = 8;
const CLASS_AT = 12;
const SPACE_AT = 16;
const CONNECTION_SPACE_AT = 20;
const INTENT_AT = 64;
const ILLUMINANT_AT = 68;
const XYZ_BYTES = 20;

/** Input, display and output devices, and colour spaces. Skia ignores all other classes. */
const CLASSES = ['scnr', 'mntr', 'prtr', 'spac'];
const CHANNELS: Readonly<Record<ProfileSpace, number>> = { GRAY: 1, 'RGB ': 3, CMYK: 4 };
/** Absolute colorimetric; perceptual is 0. */
const LAST_INTENT = 3;
const D50 = [0.9642, 1, 0.8249] as const;
/** Tolerances of Skia for the illuminant, and of Firefox for the sum of the primaries. */
const ILLUMINANT_TOLERANCE = 0.01;
const SUM_TOLERANCE = 0.02;
/** Red of Display P3 and BT.2020 lies a little below zero. */
const MIN_PRIMARY = -0.02;
/** Of the matrix of primaries; that of sRGB has 0.16. */
const MIN_DETERMINANT = 0.02;

/** Tables from and to the device, by rendering intent. */
const TABLE = /^(?:A2B|B2A)\d$|^gamt$|^pre\d$/;
const MATRIX = /^[rgb](?:XYZ|TRC)$/;

/**
 * The tags of a profile that all browsers and Little CMS read in the same way, without those that only some of them read. Null
 * if they would disagree on the profile or on its meaning: it would show a picture in one program that another one
 * doesn't show. Without a profile, all of them show sRGB.
 *
 * - The header is one that Skia accepts.
 * - RGB with primaries has no tables. The primaries add up to white.
 * - Tone curves rise gently from black to white (`isPlainCurve`).
 * - Grey has a tone curve. CMYK, and RGB without primaries, have tables: those of one rendering intent, which stand for
 *   all of them.
 */
export function plainTags(
  bytes: Uint8Array,
  tags: readonly ProfileTag[],
  spaces: readonly ProfileSpace[],
): ProfileTag[] | null {
  const space = spaces.find((name) => hasAscii(bytes, SPACE_AT, name));
  if (!space || !hasPlainHeader(bytes)) return null;
  const content = (name: string): Uint8Array => {
    // Programs use the first tag of a name.
    const tag = tags.find((one) => one.name === name);
    return bytes.subarray(tag?.from ?? 0, tag?.to ?? 0);
  };
  const first = tags.filter((tag, at) => tags.findIndex(({ name }) => name === tag.name) === at);
  const isXyz = hasAscii(bytes, CONNECTION_SPACE_AT, 'XYZ ');
  if (space === 'GRAY' || (space === 'RGB ' && isXyz && hasPlainPrimaries(content))) {
    const curves = (space === 'GRAY' ? ['kTRC'] : ['rTRC', 'gTRC', 'bTRC']).map(content);
    // To check one takes about a millisecond, and most profiles have the same bytes for all three.
    const different = new Map(curves.map((curve) => [`${curve.byteOffset} ${curve.length}`, curve]));
    const arePlain = isXyz && [...different.values()].every((curve) => isPlainCurve(readToneCurve(curve)));
    return arePlain ? first.filter(({ name }) => !TABLE.test(name)) : null;
  }
  const table = first.find(({ name }) => name === 'A2B0');
  // Skia and Little CMS scale the values of tables of 8 and 16 bits in XYZ differently.
  if (!table || !hasAscii(bytes, CONNECTION_SPACE_AT, 'Lab ')) return null;
  if (!isPlainTable(content('A2B0'), CHANNELS[space])) return null;
  return first
    .filter(({ name }) => !MATRIX.test(name))
    .map((tag) => (/^A2B\d$/.test(tag.name) ? { ...table, name: tag.name } : tag));
}

function hasPlainHeader(bytes: Uint8Array): boolean {
  const view = new ByteView(bytes);
  const version = view.u8(VERSION_AT);
  return (
    version >= 2 &&
    version <= 4 &&
    CLASSES.some((name) => hasAscii(bytes, CLASS_AT, name)) &&
    view.u32(INTENT_AT) <= LAST_INTENT &&
    isD50(xyzAt(view, ILLUMINANT_AT), ILLUMINANT_TOLERANCE)
  );
}

type Xyz = readonly [x: number, y: number, z: number];

function hasPlainPrimaries(content: (name: string) => Uint8Array): boolean {
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((name): Xyz => {
    const tag = content(name);
    return hasAscii(tag, 0, 'XYZ ') && tag.length >= XYZ_BYTES ? xyzAt(new ByteView(tag), 8) : [0, 0, 0];
  });
  const [[rx, ry, rz], [gx, gy, gz], [bx, by, bz]] = columns as [Xyz, Xyz, Xyz];
  const determinant = rx * (gy * bz - gz * by) - gx * (ry * bz - rz * by) + bx * (ry * gz - rz * gy);
  return (
    columns.every((column) => column.every((value) => value >= MIN_PRIMARY)) &&
    isD50([rx + gx + bx, ry + gy + by, rz + gz + bz], SUM_TOLERANCE) &&
    determinant >= MIN_DETERMINANT
  );
}

const xyzAt = (view: ByteView, at: number): Xyz => [
  view.i32(at) / 65_536,
  view.i32(at + 4) / 65_536,
  view.i32(at + 8) / 65_536,
];

const isD50 = (xyz: Xyz, tolerance: number): boolean =>
  xyz.every((value, axis) => Math.abs(value - (D50[axis] ?? 0)) <= tolerance);
