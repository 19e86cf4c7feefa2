import { isSoftwareName } from '../software-name';
import type { ByteRange } from './byte-ranges';
import type { ByteView } from './byte-view';

/** Types of values in the action message format (AMF 0, section 2). */
const NUMBER = 0;
const BOOLEAN = 1;
const STRING = 2;
const ARRAY = 8;
const END = 9;

/** What the one message is called that muxers write. */
const MESSAGE = 'onMetaData';
const NUMBERS: ReadonlySet<string> = new Set([
  'duration', 'width', 'height', 'videodatarate', 'framerate', 'videocodecid', 'audiodatarate', 'audiosamplerate',
  'audiosamplesize', 'audiocodecid', 'filesize', 'audiochannels', 'level', 'profile',
]); // prettier-ignore
const BOOLEANS: ReadonlySet<string> = new Set([
  'stereo', 'hasAudio', 'hasVideo', 'hasMetadata', 'hasKeyframes', 'canSeekToEnd',
]); // prettier-ignore
const PROGRAMS: ReadonlySet<string> = new Set(['encoder', 'metadatacreator']);
/** Brands of MP4 and their version, which FFmpeg carries over. */
const BRANDS: Readonly<Record<string, RegExp>> = {
  major_brand: /^(?:isom|mp4[12]|qt {2}|M4V )$/,
  compatible_brands: /^(?:isom|iso[2-6]|mp4[12]|avc1|qt {2}|M4[AV] )+$/,
  minor_version: /^\d{1,5}$/,
};
/** As many as a real message has, and more. */
const MAX_PROPERTIES = 64;

/** Of a script tag, what to leave out, and how many properties are left. */
export interface ScriptScrub {
  readonly cut: readonly ByteRange[];
  /** Where the number of properties stands. */
  readonly countAt: number;
  readonly count: number;
}

/**
 * Reads the properties of a file that a muxer writes into a script tag (FLV, annex E.5): sizes, rates and its own name
 * stay, all others are told as ranges to leave out. Null where it is anything else, and goes as a whole.
 */
export function readScript(data: ByteView): ScriptScrub | null {
  if (data.length < 18 || data.u8(0) !== STRING || data.u16(1) !== MESSAGE.length) return null;
  if (data.ascii(3, MESSAGE.length) !== MESSAGE || data.u8(13) !== ARRAY) return null;
  const cut: ByteRange[] = [];
  const names = new Set<string>();
  let at = 18;
  for (let count = 0; at + 3 <= data.length; count++) {
    if (data.u24(at) === END) return at + 3 === data.length ? { cut, countAt: 14, count: names.size } : null;
    const property = readProperty(data, at);
    if (!property || count >= MAX_PROPERTIES) return null;
    if (property.isHarmless && !names.has(property.name)) names.add(property.name);
    else cut.push({ from: at, to: property.end });
    at = property.end;
  }
  return null;
}

interface Property {
  readonly name: string;
  readonly end: number;
  readonly isHarmless: boolean;
}

/** Null where it is of a type that is not read, or cut short. */
function readProperty(data: ByteView, at: number): Property | null {
  const typeAt = at + 2 + data.u16(at);
  if (typeAt + 3 > data.length) return null;
  const name = data.ascii(at + 2, Math.min(typeAt - at - 2, 64));
  const type = data.u8(typeAt);
  const size = type === NUMBER ? 8 : type === BOOLEAN ? 1 : type === STRING ? 2 + data.u16(typeAt + 1) : null;
  if (size === null || typeAt + 1 + size > data.length) return null;
  const text = type === STRING ? data.ascii(typeAt + 3, Math.min(size - 2, 256)) : '';
  const isHarmless =
    (type === NUMBER && NUMBERS.has(name)) ||
    (type === BOOLEAN && BOOLEANS.has(name)) ||
    (type === STRING && ((PROGRAMS.has(name) && isSoftwareName(text)) || isBrand(name, text)));
  return { name, end: typeAt + 1 + size, isHarmless };
}

function isBrand(name: string, text: string): boolean {
  return Object.hasOwn(BRANDS, name) && (BRANDS[name]?.test(text) ?? false);
}
