import { Cursor } from '../bytes/cursor';
import { hasAscii } from '../bytes/text';
import { plainTags, type ProfileSpace, type ProfileTag } from './plain-profile';

/** The largest profiles are those of printers, of about 3 MB. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

const HEADER = 128;
const VERSION_AT = 8;
const SIGNATURE_AT = 36;
const PROFILE_ID = { from: 84, to: 100 };
const TABLE = HEADER + 4;
const ENTRY = 12;
const MAX_TAGS = 100;
/** Tags start at multiples of 4. */
const ALIGNMENT = 4;

/**
 * Tags from which colours are computed (ICC.1:2022, section 9.2, and ICC.1:2001-04, section 6.4), without those that
 * only some programs read: `cicp`, `D2B0` and the like.
 */
const COLOUR_TAGS: ReadonlySet<string> = new Set([
  ...['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC', 'kTRC'],
  ...['wtpt', 'bkpt', 'chad', 'chrm', 'lumi', 'meas', 'view', 'gamt', 'pre0', 'pre1', 'pre2', 'tech', 'rig0'],
  ...['rig2', 'ciis', 'clro', 'clrt', 'clot', 'ncl2', 'ncol', 'resp', 'bfd '],
]);
/** Names and copyrights, which editors show. They are kept if they are short. */
const TEXT_TAGS: ReadonlySet<string> = new Set(['desc', 'cprt', 'dmnd', 'dmdd', 'vued', 'csnm']);
const MAX_TEXT_BYTES = 4096;
const SPACES: readonly ProfileSpace[] = ['RGB ', 'GRAY', 'CMYK'];

/**
 * A colour profile for pixels of one of these spaces that holds only the tags from which colours are computed, and its
 * names. Returns the same array if nothing has to be removed, and null if the bytes are no profile (by its signature,
 * its length field, and a limit of 4 MiB), or one that programs don't read in the same way (see `plainTags`). Removes private
 * tags, in which displays write their serial numbers, and bytes that belong to no tag.
 */
export function cleanProfile(bytes: Uint8Array, spaces = SPACES): Uint8Array | null {
  const tags = readTags(bytes);
  const kept = tags && plainTags(bytes, tags.filter(isKept), spaces);
  if (!kept) return null;
  const isWhole = kept.length === tags.length && kept.every(({ from }, at) => from === tags[at]?.from);
  // libpng ignores a profile of version 4 with another length.
  const isAligned = bytes.length % ALIGNMENT === 0 || (bytes[VERSION_AT] ?? 0) < 4;
  return isWhole && isAligned && isFilled(bytes, tags) ? bytes : rebuilt(bytes, kept);
}

function readTags(bytes: Uint8Array): ProfileTag[] | null {
  if (bytes.length < TABLE || !hasAscii(bytes, SIGNATURE_AT, 'acsp')) return null;
  const cursor = new Cursor(bytes);
  const size = cursor.u32();
  cursor.position = HEADER;
  const count = cursor.u32();
  if (size < TABLE || size > Math.min(bytes.length, MAX_PROFILE_BYTES) || count > MAX_TAGS) return null;
  if (TABLE + count * ENTRY > size) return null;
  const tags = Array.from({ length: count }, () => {
    const [name, from, length] = [cursor.ascii(4), cursor.u32(), cursor.u32()];
    return { name, from, to: from + length };
  });
  return tags.every(({ from, to }) => from >= TABLE + count * ENTRY && to <= size) ? tags : null;
}

function isKept({ name, from, to }: ProfileTag): boolean {
  return COLOUR_TAGS.has(name) || (TEXT_TAGS.has(name) && to - from <= MAX_TEXT_BYTES);
}

/** Whether the profile holds only its tags, and zeros between them, up to its end. */
function isFilled(bytes: Uint8Array, tags: readonly ProfileTag[]): boolean {
  let at = TABLE + tags.length * ENTRY;
  for (const { from, to } of [...tags].sort((a, b) => a.from - b.from)) {
    if (from > at && !isPadding(bytes.subarray(at, from))) return false;
    at = Math.max(at, to);
  }
  return new Cursor(bytes).u32() === bytes.length && isPadding(bytes.subarray(at));
}

function isPadding(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** The profile with only these tags. Tags that shared their bytes still share them. */
function rebuilt(bytes: Uint8Array, tags: readonly ProfileTag[]): Uint8Array | null {
  const places = new Map<string, number>();
  let size = TABLE + tags.length * ENTRY;
  for (const { from, to } of tags) {
    const key = `${from}:${to}`;
    if (places.has(key)) continue;
    places.set(key, size);
    size += Math.ceil((to - from) / ALIGNMENT) * ALIGNMENT;
  }
  if (tags.length === 0 || size > MAX_PROFILE_BYTES) return null;
  const profile = new Uint8Array(size);
  const view = new DataView(profile.buffer);
  profile.set(bytes.subarray(0, HEADER));
  // The identifier is the MD5 of the original profile; zeros mean that there is none.
  profile.fill(0, PROFILE_ID.from, PROFILE_ID.to);
  view.setUint32(0, size);
  view.setUint32(HEADER, tags.length);
  tags.forEach(({ name, from, to }, i) => {
    const place = places.get(`${from}:${to}`) ?? 0;
    const entry = TABLE + i * ENTRY;
    for (let letter = 0; letter < 4; letter++) profile[entry + letter] = name.charCodeAt(letter);
    view.setUint32(entry + 4, place);
    view.setUint32(entry + 8, to - from);
    profile.set(bytes.subarray(from, to), place);
  });
  return profile;
}

const NCLC_BYTES = 10;
const NCLX_BYTES = 11;

/**
 * The content of a `colr` box (ISO/IEC 14496-12, section 12.1.5, and QuickTime's) that holds only colours. Returns
 * the same array if nothing has to be removed, and null if the box must be removed.
 */
export function cleanColourBox(body: Uint8Array): Uint8Array | null {
  if (hasAscii(body, 0, 'nclx') || hasAscii(body, 0, 'nclc')) {
    const size = hasAscii(body, 0, 'nclx') ? NCLX_BYTES : NCLC_BYTES;
    return body.length <= size ? body : body.slice(0, size);
  }
  if (!isProfileBox(body)) return null;
  const profile = body.subarray(4);
  const clean = cleanProfile(profile, ['RGB ']);
  if (clean === profile || !clean) return clean && body;
  const whole = new Uint8Array(4 + clean.length);
  whole.set(body.subarray(0, 4));
  whole.set(clean, 4);
  return whole;
}

/** Whether the content of a `colr` box is, or claims to be, a profile. */
export function isProfileBox(body: Uint8Array): boolean {
  return hasAscii(body, 0, 'prof') || hasAscii(body, 0, 'rICC');
}
