import type { ByteRange } from '../../bytes/byte-ranges';
import type { ByteView } from '../../bytes/byte-view';
import { isSoftwareName } from '../../metadata/software-name';

/** Types of values in the action message format (AMF 0, section 2). */
const NUMBER = 0;
const BOOLEAN = 1;
const STRING = 2;
const ARRAY = 8;
const END = 9;

/** The name of the one message that muxers write. */
const MESSAGE = 'onMetaData';
const NUMBERS: ReadonlySet<string> = new Set([
  'duration', 'width', 'height', 'videodatarate', 'framerate', 'videocodecid', 'audiodatarate', 'audiosamplerate',
  'audiosamplesize', 'audiocodecid', 'filesize', 'audiochannels', 'level', 'profile',
]); // prettier-ignore
const BOOLEANS: ReadonlySet<string> = new Set([
  'stereo', 'hasAudio', 'hasVideo', 'hasMetadata', 'hasKeyframes', 'canSeekToEnd',
]); // prettier-ignore
const PROGRAMS: ReadonlySet<string> = new Set(['encoder', 'metadatacreator']);
/** Brands of MP4 and their version, which FFmpeg copies. */
const BRANDS: Readonly<Record<string, RegExp>> = {
  major_brand: /^(?:isom|mp4[12]|qt {2}|M4V )$/,
  compatible_brands: /^(?:isom|iso[2-6]|mp4[12]|avc1|qt {2}|M4[AV] )+$/,
  minor_version: /^\d{1,5}$/,
};
/** No real message has so many. */
const MAX_PROPERTIES = 64;

/** The ranges of a script tag to leave out, and the number of properties that remain. */
export interface ScriptScrub {
  readonly cut: readonly ByteRange[];
  /** Position of the number of properties. */
  readonly countAt: number;
  readonly count: number;
}

/**
 * Reads the properties that a muxer writes into a script tag (FLV, annex E.5). Keeps sizes, rates and the muxer's own
 * name, and returns the others as ranges to leave out. Returns null if the tag is anything else and must be left out
 * as a whole.
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

/** Null if it is truncated, or of a type that is not read. */
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
