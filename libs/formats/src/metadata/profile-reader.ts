import { ByteView } from '../bytes/byte-view';
import { Cursor } from '../bytes/cursor';
import { ascii, hasAscii } from '../bytes/text';
import { readLookUpTable, type LookUpTable, type Triple } from './look-up-table';
import { D50, type ProfileSpace } from './plain-profile';

/** The largest profiles are those of printers, of about 3 MB. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

const TABLE = 132;
const ENTRY = 12;
const MAX_TAGS = 100;
const VERSION_AT = 8;
const CLASS_AT = 12;
const SPACE_AT = 16;
const CONNECTION_SPACE_AT = 20;
const SIGNATURE_AT = 36;
const INTENT_AT = 64;
const ILLUMINANT_AT = 68;
const XYZ_BYTES = 20;

/** The spaces of accepted pictures. */
export const SPACES: readonly ProfileSpace[] = ['RGB ', 'GRAY', 'CMYK'];
/** Input, display and output devices, and colour spaces. Skia ignores all other classes. */
const CLASSES = ['scnr', 'mntr', 'prtr', 'spac'];
const CHANNELS: Readonly<Record<ProfileSpace, number>> = { GRAY: 1, 'RGB ': 3, CMYK: 4 };
/** Absolute colorimetric; perceptual is 0. */
const LAST_INTENT = 3;
/** The tolerance of Skia. */
const ILLUMINANT_TOLERANCE = 0.01;
/** What browsers read in a profile. */
export interface Profile {
  readonly version: number;
  readonly deviceClass: string;
  readonly space: ProfileSpace;
  readonly isXyz: boolean;
  /** The content of the first tag of a name, which programs use; empty if there is none. */
  readonly tag: (name: string) => Uint8Array;
}

/** A profile for pixels of one of these spaces; null if the bytes are none, or one that programs ignore. */
export function readProfile(bytes: Uint8Array, spaces: readonly ProfileSpace[]): Profile | null {
  const tags = readTags(bytes);
  const space = spaces.find((name) => hasAscii(bytes, SPACE_AT, name));
  if (!tags || !space) return null;
  const view = new ByteView(bytes);
  const version = view.u8(VERSION_AT);
  const isXyz = hasAscii(bytes, CONNECTION_SPACE_AT, 'XYZ ');
  const isValid =
    version >= 2 &&
    version <= 4 &&
    CLASSES.some((name) => hasAscii(bytes, CLASS_AT, name)) &&
    (isXyz || hasAscii(bytes, CONNECTION_SPACE_AT, 'Lab ')) &&
    view.u32(INTENT_AT) <= LAST_INTENT &&
    isD50(xyzAt(view, ILLUMINANT_AT), ILLUMINANT_TOLERANCE);
  if (!isValid) return null;
  return {
    version: version < 4 ? 2 : 4,
    deviceClass: ascii(bytes, CLASS_AT, 4),
    space,
    isXyz,
    tag: (name) => tags.get(name) ?? new Uint8Array(),
  };
}

function readTags(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> | null {
  if (bytes.length < TABLE || !hasAscii(bytes, SIGNATURE_AT, 'acsp')) return null;
  const cursor = new Cursor(bytes);
  const size = cursor.u32();
  cursor.position = TABLE - 4;
  const count = cursor.u32();
  if (size < TABLE || size > Math.min(bytes.length, MAX_PROFILE_BYTES) || count > MAX_TAGS) return null;
  if (TABLE + count * ENTRY > size) return null;
  const tags = new Map<string, Uint8Array>();
  for (let index = 0; index < count; index++) {
    const [name, from, length] = [cursor.ascii(4), cursor.u32(), cursor.u32()];
    if (from < TABLE + count * ENTRY || from + length > size) return null;
    if (!tags.has(name)) tags.set(name, bytes.subarray(from, from + length));
  }
  return tags;
}

/** The colour of an `XYZ ` tag; null if it is none. */
export function readXyz(tag: Uint8Array): Triple | null {
  return hasAscii(tag, 0, 'XYZ ') && tag.length >= XYZ_BYTES ? xyzAt(new ByteView(tag), 8) : null;
}

const xyzAt = (view: ByteView, at: number): Triple => [
  view.i32(at) / 65_536,
  view.i32(at + 4) / 65_536,
  view.i32(at + 8) / 65_536,
];

/** Whether a colour is the white that profiles refer to. */
export const isD50 = (xyz: Triple, tolerance: number): boolean =>
  xyz.every((value, axis) => Math.abs(value - (D50[axis] ?? 0)) <= tolerance);

/** The table that Skia and Little CMS prefer to primaries; undefined if the profile has none, null if it is invalid. */
export function readTable({ space, isXyz, tag }: Profile): LookUpTable | null | undefined {
  const bytes = ['A2B0', 'A2B1'].map(tag).find(({ length }) => length > 0);
  return bytes && readLookUpTable(bytes, CHANNELS[space], isXyz);
}
