import { isZero } from '../../bytes/arrays';
import type { ByteView } from '../../bytes/byte-view';
import { isSoftwareName } from '../../metadata/software-name';
import { neutralise, type AsfObject } from './asf-object';

/** Types of values (ASF specification, section 3.11). */
const TEXT = 0;
const BOOLEAN = 2;
const LONGEST_TEXT = 256;
const LONGEST_CODEC_DATA = 8;
/** Limit of the descriptions and of the codecs in a file. */
const MAX_RECORDS = 1000;

/** Texts that muxers write about themselves, by name. */
const HARMLESS: Readonly<Record<string, (value: string) => boolean>> = {
  'WM/EncodingSettings': isSoftwareName,
  'WM/ToolName': isSoftwareName,
  'WM/ToolVersion': (value) => /^\d{1,4}(?:\.\d{1,5}){0,3}$/.test(value),
  WMFSDKVersion: (value) => /^\d{1,4}(?:\.\d{1,5}){0,3}$/.test(value),
  WMFSDKNeeded: (value) => /^\d{1,4}(?:\.\d{1,5}){0,3}$/.test(value),
};

interface Description {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly isHarmless: boolean;
}

/**
 * Blanks everything in an extended content description except the muxer's own name, in place. A description that
 * holds nothing else, or can't be read, becomes padding.
 */
export function scrubDescriptions(view: ByteView, object: AsfObject): void {
  const { body, end } = object;
  const found: Description[] = [];
  let at = body + 2;
  if (end - body >= 2) {
    for (let left = Math.min(MAX_RECORDS, view.u16le(body)); left > 0; left--) {
      const description = readDescription(view, at, end);
      if (!description) break;
      found.push(description);
      at = description.to;
    }
  }
  const names = new Set<string>();
  const kept = found.filter(({ name, isHarmless }) => isHarmless && names.size < names.add(name).size);
  if (kept.length === 0) return neutralise(view, object);
  for (const description of found) if (!kept.includes(description)) blankDescription(view, description);
  view.bytes.fill(0, at, end);
}

/** Keeps sizes and types, so that the other descriptions can be found. */
function blankDescription(view: ByteView, { from, to }: Description): void {
  const value = from + 2 + view.u16le(from);
  view.bytes.fill(0, from + 2, value);
  view.bytes.fill(0, value + 4, to);
}

function readDescription(view: ByteView, from: number, end: number): Description | null {
  if (from + 6 > end) return null;
  const nameEnd = from + 2 + view.u16le(from);
  if (nameEnd + 4 > end) return null;
  const type = view.u16le(nameEnd);
  const to = nameEnd + 4 + view.u16le(nameEnd + 2);
  if (to > end) return null;
  const name = textOf(view, from + 2, nameEnd);
  const value = type === TEXT ? textOf(view, nameEnd + 4, to) : null;
  const isFlag = name === 'IsVBR' && type === BOOLEAN && to - nameEnd <= 8;
  const isKnown =
    name !== null && value !== null && Object.hasOwn(HARMLESS, name) && HARMLESS[name]?.(value) === true;
  return { from, to, name: name ?? '', isHarmless: isFlag || isKnown };
}

/** Keeps a codec list whose names are those of codecs. Any other becomes padding. */
export function scrubCodecList(view: ByteView, object: AsfObject): void {
  if (!isCodecList(view, object)) neutralise(view, object);
}

function isCodecList(view: ByteView, { body, end }: AsfObject): boolean {
  const [countAt, first] = [body + 16, body + 20];
  if (first > end) return false;
  let at = first;
  const isText = (): boolean => {
    const size = at + 2 <= end ? view.u16le(at) * 2 : Infinity;
    if (at + 2 + size > end) return false;
    at += 2 + size;
    const text = textOf(view, at - size, at);
    return text === '' || (text !== null && isSoftwareName(text));
  };
  for (let left = view.u32le(countAt); left > 0; left--) {
    at += 2;
    if (at > end || !isText() || !isText() || at + 2 > end) return false;
    const size = view.u16le(at);
    if (size > LONGEST_CODEC_DATA) return false;
    at += 2 + size;
  }
  return at <= end && isZero(view.bytes.subarray(at, end));
}

/** A text of 16 bits for each letter, which zeros end; null if it is too long or if more follows a zero. */
function textOf(view: ByteView, from: number, to: number): string | null {
  if (to - from > LONGEST_TEXT) return null;
  const text = Buffer.from(view.slice(from, to).bytes).toString('utf16le');
  const zero = text.indexOf('\0');
  if (zero < 0) return text;
  return isZero(view.bytes.subarray(from + zero * 2, to)) ? text.slice(0, zero) : null;
}
