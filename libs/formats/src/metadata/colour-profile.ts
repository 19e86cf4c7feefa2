import { createHash } from 'node:crypto';
import { concatBytes } from '../bytes/arrays';
import { ByteView } from '../bytes/byte-view';
import { ascii, hasAscii } from '../bytes/text';
import { UnsupportedVariantError } from '../errors/file-errors';
import { writeLookUpTable, XYZ_SCALE, type LookUpTable, type Triple } from './look-up-table';
import { isD50, readProfile, readTable, readXyz, SPACES, type Profile } from './profile-reader';
import { smoothTable } from './table-shape';
import { isGentleCurve, NO_CURVE, readCurveTag, tableTag, type CurveTag, type ToneCurve } from './tone-curve';
import { writeProfile, xyzTag, type ProfileSpace } from './plain-profile';
export { MAX_PROFILE_BYTES } from './profile-reader';

/**
 * SHA-256 of profiles that many programs write, with nothing personal in them and nothing that browsers and Little CMS read
 * differently (`colour-profiles.drill.spec.ts`).
 */
const KNOWN_PROFILES: ReadonlySet<string> = new Set([
  // libvips: sRGB, Display P3.
  'c56e1685d888f5edb92fe07f2750f387f8fe8e91b32ff8fb0b56bfbbb9458353',
  '231752984cd4a5278e1b8d2390fe496767d4511fc81f54e1a5c69ae9ab4c42b5',
  // Ghostscript: sRGB, and two of grey.
  'eddaf344b5edea13269e0d20055f335610e5e0b6e33e6e536f2701bc18c5f7d5',
  '0976fe7bc0f118a47c89747cb707c6f76044b48baf670dad811d0514bc2c4214',
  'd3aaaa8ad45ec8a0108fd393a07488073ee24561fd5ed2d1f88c59771278cabd',
  // The free counterpart of Adobe RGB.
  '76f4ad83ad4726d33e2291a5b3e3bf4f30b2f723c65a583b74a9365e30e097c7',
]);
/** The longest of them has 2,576 bytes. */
const LONGEST_KNOWN = 4096;

/** Whether these are the bytes of a well-known profile, which stay with its names. */
export const isKnownProfile = (bytes: Uint8Array): boolean =>
  bytes.length <= LONGEST_KNOWN && KNOWN_PROFILES.has(createHash('sha256').update(bytes).digest('hex'));

/** Red of Display P3 and BT.2020 lies a little below zero. */
const MIN_PRIMARY = -0.02;
/** That of Firefox. */
const SUM_TOLERANCE = 0.02;
const GREY_ENTRIES = 1024;
const JUMPS = 'A picture whose colour profile has jumps is not supported.';

/** Names of colour spaces, which stay. All others become that of the colour model. */
const NAMES =
  /^(?:s?rgb(?: ?iec ?61966-?2[.-]1| built-in|2014)?|display p3|dci-p3(?: d65)?|adobe rgb ?\(1998\)|compatible with adobe rgb \(1998\)|prophoto rgb|romm rgb|rec\.? ?(?:709|2020)|bt\.? ?(?:709|2020)|grey|gray|dot gain \d\d%|gr[ae]y gamma \d\.\d)$/i;
const MAX_NAME = 64;

/**
 * A colour profile for pixels of one of these spaces, rewritten from what browsers read in it: primaries and tone curves, or
 * one table. Nothing else of the file stays: no texts but the names of well-known spaces, no private tags, no bytes between tags.
 * Returns the same array if it is written like that already, or is a well-known profile (`isKnownProfile`).
 *
 * - Primaries and tone curves stay as they are, and so do the values of a table. A table is written in the one form that Little CMS
 *   and browsers read in the same way, and with more points if they interpolate between too few.
 * - Primaries that Firefox ignores, because they are not white together, become a table.
 *
 * Returns null if the bytes are no valid profile for these pixels, which programs ignore.
 * @throws UnsupportedVariantError if it has jumps, which programs interpolate differently.
 */
export function cleanProfile(bytes: Uint8Array, spaces = SPACES): Uint8Array | null {
  const profile = readProfile(bytes, spaces);
  if (profile && isKnownProfile(bytes)) return bytes;
  const written = profile && writtenAnew(profile);
  return written && Buffer.compare(written, bytes) === 0 ? bytes : written;
}

function writtenAnew(profile: Profile): Uint8Array | null {
  const name = readName(profile.tag('desc')) ?? profile.space.trim();
  const table = readTable(profile);
  if (table !== undefined)
    return table && writeTable(profile.space, profile.isXyz ? 'XYZ ' : 'Lab ', name, table);
  if (profile.space === 'GRAY') return withGreyCurve(profile, name);
  return profile.space === 'RGB ' ? withPrimaries(profile, name) : null;
}

/** The name in a `desc` of either version, if it is that of a well-known colour space. */
function readName(tag: Uint8Array): string | null {
  const text = hasAscii(tag, 0, 'desc') ? ascii(tag, 12, MAX_NAME) : wideText(tag);
  const name = text.split('\0')[0] ?? '';
  return NAMES.test(name) ? name : null;
}

/** The first text of a `mluc`, if it is in Latin-1. */
function wideText(tag: Uint8Array): string {
  if (!hasAscii(tag, 0, 'mluc') || tag.length < 28) return '';
  const view = new ByteView(tag);
  const [length, from] = [view.u32(20), view.u32(24)];
  if (length > MAX_NAME * 2 || from + length > tag.length) return '';
  return Buffer.from(tag.subarray(from, from + (length & ~1)))
    .swap16()
    .toString('utf16le');
}

/** Grey by a curve to luminance, or, in Lab, to lightness. Only some programs read the second, so it is written as the first. */
function withGreyCurve({ version, deviceClass, isXyz, tag }: Profile, name: string): Uint8Array | null {
  const read = readCurveTag(tag('kTRC'));
  if (!read) return null;
  const light = (value: number): number => lightOfLightness(read.curve(value) * 100);
  const { curve, bytes } = isXyz ? read : tableTag(light, GREY_ENTRIES);
  assertGentle([curve]);
  return writeProfile({ version, deviceClass, space: 'GRAY', connectionSpace: 'XYZ ' }, name, [
    ['kTRC', bytes],
  ]);
}

/** CIE 1976: the luminance (0 to 1) of a lightness (0 to 100). */
const lightOfLightness = (lightness: number): number =>
  Math.min(1, Math.max(0, lightness > 8 ? ((lightness + 16) / 116) ** 3 : lightness / 903.3));

function withPrimaries({ version, deviceClass, isXyz, tag }: Profile, name: string): Uint8Array | null {
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((colour) => readXyz(tag(colour)));
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((colour) => tag(colour));
  const [red, green, blue] = columns;
  const read = curves.map(sharedBy(readCurveTag));
  if (!isXyz || !red || !green || !blue || !read.every((curve) => curve !== null)) return null;
  assertGentle(read.map(({ curve }) => curve));
  if (!arePlain([red, green, blue])) {
    return writeTable('RGB ', 'XYZ ', name, matrixTable([red, green, blue], read));
  }
  return writeProfile({ version, deviceClass, space: 'RGB ', connectionSpace: 'XYZ ' }, name, [
    ['rXYZ', xyzTag(red)],
    ['gXYZ', xyzTag(green)],
    ['bXYZ', xyzTag(blue)],
    ...['rTRC', 'gTRC', 'bTRC'].map((colour, at) => [colour, read[at]?.bytes ?? new Uint8Array()] as const),
  ]);
}

/** One result for equal bytes: most profiles have one curve for all three colours. */
function sharedBy(read: (bytes: Uint8Array) => CurveTag | null): (bytes: Uint8Array) => CurveTag | null {
  const known: { readonly bytes: Uint8Array; readonly result: CurveTag | null }[] = [];
  return (bytes) => {
    const same = known.find((one) => Buffer.compare(one.bytes, bytes) === 0);
    if (same) return same.result;
    const result = read(bytes);
    known.push({ bytes, result });
    return result;
  };
}

/** Whether all programs accept primaries. Firefox ignores a profile whose primaries are not white together. */
function arePlain(columns: readonly [Triple, Triple, Triple]): boolean {
  const [[rx, ry, rz], [gx, gy, gz], [bx, by, bz]] = columns;
  return (
    columns.every((column) => column.every((value) => value >= MIN_PRIMARY)) &&
    isD50([rx + gx + bx, ry + gy + by, rz + gz + bz], SUM_TOLERANCE)
  );
}

function assertGentle(curves: readonly ToneCurve[]): void {
  if (![...new Set(curves)].every(isGentleCurve)) throw new UnsupportedVariantError(JUMPS);
}

/** Primaries and tone curves in the form of a table. */
const matrixTable = (
  [[rx, ry, rz], [gx, gy, gz], [bx, by, bz]]: readonly [Triple, Triple, Triple],
  curves: readonly CurveTag[],
): LookUpTable => ({
  inputCurves: [],
  grid: null,
  middle: {
    curves,
    matrix: [rx, gx, bx, 0, ry, gy, by, 0, rz, gz, bz, 0].map((factor) => factor / XYZ_SCALE),
  },
  outputCurves: [NO_CURVE, NO_CURVE, NO_CURVE],
});

/**
 * A profile of a table in a form that all programs read in the same way: `mAB `, because Skia and Little CMS scale the values of others
 * differently; of version 2, because Little CMS makes black darker for tables of version 4 and Skia doesn't.
 */
function writeTable(
  space: ProfileSpace,
  connectionSpace: 'XYZ ' | 'Lab ',
  name: string,
  table: LookUpTable,
): Uint8Array {
  const smooth = smoothTable(table);
  if (!smooth) throw new UnsupportedVariantError(JUMPS);
  const header = { version: 2, deviceClass: 'scnr', space, connectionSpace };
  return writeProfile(header, name, [['A2B0', writeLookUpTable(smooth)]]);
}

const NCLC_BYTES = 10;
/** Bytes of an `nclx`. */
export const NCLX_BYTES = 11;

/**
 * The content of a `colr` box (ISO/IEC 14496-12, section 12.1.5, and QuickTime's) that holds only colours. Returns
 * the same array if nothing has to be removed, and null if the box must be removed. `space` is that of the pixels.
 */
export function cleanColourBox(body: Uint8Array, space: ProfileSpace = 'RGB '): Uint8Array | null {
  if (hasAscii(body, 0, 'nclx') || hasAscii(body, 0, 'nclc')) {
    const size = hasAscii(body, 0, 'nclx') ? NCLX_BYTES : NCLC_BYTES;
    return body.length <= size ? body : body.slice(0, size);
  }
  if (!isProfileBox(body)) return null;
  const profile = body.subarray(4);
  const clean = cleanProfile(profile, [space]);
  if (clean === profile || !clean) return clean && body;
  return concatBytes([body.subarray(0, 4), clean]);
}

/** Whether the content of a `colr` box is, or claims to be, a profile. */
export function isProfileBox(body: Uint8Array): boolean {
  return hasAscii(body, 0, 'prof') || hasAscii(body, 0, 'rICC');
}
