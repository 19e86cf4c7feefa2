import { concatBytes } from '../bytes/arrays';
import { Cursor } from '../bytes/cursor';
import { u16, u32 } from '../bytes/numbers';
import { asciiBytes, hasAscii } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import type { Orientation } from './exif-orientation';

/** Two numbers of Apple's maker note, from which programs compute how bright a photograph is in HDR. */
export interface AppleHdrNote {
  /** Tag 33. */
  readonly headroom: number;
  /** Tag 48. */
  readonly gain: number;
}

/** The name, the version and the byte order of a maker note of Apple; its directory follows. */
const SIGNATURE = 'Apple iOS\0\0\x01MM';
const [HEADROOM_TAG, GAIN_TAG] = [33, 48];
const [ORIENTATION_TAG, EXIF_DIRECTORY_TAG, MAKER_NOTE_TAG] = [0x112, 0x8769, 0x927c];
const [SHORT, LONG, UNDEFINED, SIGNED_RATIONAL] = [3, 4, 7, 10];
/** Numbers of real photographs are much smaller. */
const MAX_NUMBER = 16;
const DENOMINATOR = 1_000_000;

/** Reads the two numbers from an Exif block (starting with its TIFF header); null if it doesn't contain both. */
export function readAppleHdrNote(exif: Uint8Array): AppleHdrNote | null {
  try {
    const littleEndian = hasAscii(exif, 0, 'II*\0');
    if (!littleEndian && !hasAscii(exif, 0, 'MM\0*')) return null;
    const at = (position: number): Cursor => new Cursor(exif, position, littleEndian);
    const directory = findEntry(at(at(4).u32()), EXIF_DIRECTORY_TAG);
    const note = directory && findEntry(at(directory.value), MAKER_NOTE_TAG);
    if (!note) return null;
    const body = at(note.value).take(note.count);
    if (!hasAscii(body, 0, SIGNATURE)) return null;
    const [headroom, gain] = [readNumber(body, HEADROOM_TAG), readNumber(body, GAIN_TAG)];
    return headroom === null || gain === null ? null : { headroom, gain };
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

/** The first entry of the directory at the cursor with this tag. `value`: its last four bytes, mostly an offset. */
function findEntry(cursor: Cursor, wanted: number): { type: number; count: number; value: number } | null {
  for (let left = cursor.u16(); left > 0; left--) {
    const tag = cursor.u16();
    const entry = { type: cursor.u16(), count: cursor.u32(), value: cursor.u32() };
    if (tag === wanted) return entry;
  }
  return null;
}

/** A fraction in a maker note, rounded to six decimals. */
function readNumber(note: Uint8Array, tag: number): number | null {
  const entry = findEntry(new Cursor(note, SIGNATURE.length), tag);
  if (entry?.type !== SIGNED_RATIONAL || entry.count !== 1) return null;
  const cursor = new Cursor(note, entry.value);
  const value = Math.round((cursor.i32() / cursor.i32()) * DENOMINATOR) / DENOMINATOR;
  return value >= 0 && value <= MAX_NUMBER ? value : null;
}

/** An Exif block (without the `Exif\0\0` before it) with an orientation and a maker note of these numbers only. */
export function writeAppleHdrExif(orientation: Orientation, { headroom, gain }: AppleHdrNote): Uint8Array {
  const directory = (...entries: readonly Uint8Array[]): Uint8Array =>
    concatBytes([u16(entries.length), ...entries, u32(0)]);
  const entry = (tag: number, type: number, count: number, value: number): Uint8Array =>
    concatBytes([u16(tag, type), u32(count, value)]);
  const fraction = (value: number): Uint8Array => u32(Math.round(value * DENOMINATOR), DENOMINATOR);

  const note = concatBytes([
    asciiBytes(SIGNATURE),
    directory(entry(HEADROOM_TAG, SIGNED_RATIONAL, 1, 44), entry(GAIN_TAG, SIGNED_RATIONAL, 1, 52)),
    fraction(headroom),
    fraction(gain),
  ]);
  return concatBytes([
    asciiBytes('MM\0*'),
    u32(8),
    directory(entry(ORIENTATION_TAG, SHORT, 1, orientation << 16), entry(EXIF_DIRECTORY_TAG, LONG, 1, 38)),
    directory(entry(MAKER_NOTE_TAG, UNDEFINED, note.length, 56)),
    note,
  ]);
}
