import { ByteView } from '../bytes/byte-view';
import { concatBytes } from '../bytes/arrays';
import { u16, u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import { lightToValue } from './srgb-curve';

/** Linear light (0 to 1) of an encoded value (0 to 1). */
export type ToneCurve = (value: number) => number;

/** A curve, and the bytes of a tag that holds it and nothing else. */
export interface CurveTag {
  readonly curve: ToneCurve;
  readonly bytes: Uint8Array;
  /** Bytes of the tag that it was read from. */
  readonly size: number;
}

/** Entries of a table. Programs have different limits; the smallest is 32,767. */
export const MAX_ENTRIES = 4096;
const LAST_CODE = MAX_ENTRIES - 1;

/** Parameters of each type of `para`: g, a, b, c, d, e, f. */
const PARAMETERS = [1, 3, 4, 5, 7] as const;

/**
 * The tone curve of a tag: `curv` (none, gamma, table) or `para` (ICC.1:2022, 10.6 and 10.18). Null for any other type,
 * if its bytes are too few, and for parameters with which Skia, which Chromium uses, ignores the whole profile.
 */
export function readToneCurve(bytes: Uint8Array): ToneCurve | null {
  return readCurveTag(bytes)?.curve ?? null;
}

/** The same with a rewritten tag. A table with more than 4,096 entries is written with 4,096. */
export function readCurveTag(bytes: Uint8Array): CurveTag | null {
  try {
    const view = new ByteView(bytes);
    const type = view.ascii(0, 4);
    if (type === 'curv') return readTable(view);
    return type === 'para' ? readFunction(view) : null;
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

function readTable(view: ByteView): CurveTag {
  const count = view.u32(8);
  const data = view.take(12, count * 2);
  const bytes = concatBytes([asciiBytes('curv'), u32(0, count), data]);
  const size = bytes.length;
  if (count === 0) return { curve: (value) => value, bytes, size };
  if (count === 1) {
    const gamma = view.u16(12) / 256;
    return { curve: (value) => value ** gamma, bytes, size };
  }
  const curve = curveOfTable(count, (index) => view.u16(12 + index * 2) / 65_535);
  return count > MAX_ENTRIES ? { ...tableTag(curve, MAX_ENTRIES), size } : { curve, bytes, size };
}

/** A tag with a table of `entries` (at least 2) values of a curve, each from 0 to 1. */
export function tableTag(curve: ToneCurve, entries: number): CurveTag {
  const values = Array.from({ length: entries }, (_, at) => Math.round(curve(at / (entries - 1)) * 65_535));
  const bytes = concatBytes([asciiBytes('curv'), u32(0, entries), u16(...values)]);
  return { curve: curveOfTable(entries, (at) => (values[at] ?? 0) / 65_535), bytes, size: bytes.length };
}

/** The curve that changes nothing. */
export const NO_CURVE: CurveTag = readTable(new ByteView(concatBytes([asciiBytes('curv'), u32(0, 0)])));

/** The curve through `count` (at least 2) equally distant points. Values outside of 0 to 1 count as these. */
function curveOfTable(count: number, entry: (index: number) => number): ToneCurve {
  const last = count - 1;
  return (value) => {
    const place = Math.min(1, Math.max(0, value)) * last;
    const below = Math.min(last - 1, Math.floor(place));
    return entry(below) + (place - below) * (entry(below + 1) - entry(below));
  };
}

function readFunction(view: ByteView): CurveTag | null {
  const kind = view.u16(8);
  const count = PARAMETERS[kind] ?? 0;
  const codes = Array.from({ length: count }, (_, index) => view.i32(12 + index * 4));
  const curve = parametric(
    kind,
    codes.map((code) => code / 65_536),
  );
  const bytes = concatBytes([asciiBytes('para'), u32(0), u16(kind, 0), u32(...codes)]);
  return curve && { curve, bytes, size: bytes.length };
}

function parametric(kind: number, values: readonly number[]): ToneCurve | null {
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  if (g < 0 || a < 0 || c < 0 || d < 0 || (kind > 2 && a * d + b < 0)) return null;
  const power = (value: number): number => Math.max(0, a * value + b) ** g;
  switch (kind) {
    case 0:
      return (value) => value ** g;
    case 1:
      return power;
    case 2:
      return (value) => (a * value + b >= 0 ? power(value) + c : c);
    case 3:
      return (value) => (value >= d ? power(value) : c * value);
    case 4:
      return (value) => (value >= d ? power(value) + e : c * value + f);
    default:
      return null;
  }
}

/** Linear light has the steepest curve near black: its first code of 8 bits is the 13th of sRGB. */
const MAX_STEP = 0.055;
/** Codes of 12 bits in a code of 8 bits. */
const STEP = 16;

/**
 * Whether a curve has no step that would turn two neighbouring codes of 8 bits into two visibly different brightnesses.
 * With such a step, programs that decode a JPEG or WebP with rounding of their own show different pictures.
 */
export function isGentleCurve(curve: ToneCurve): boolean {
  const shown = Float64Array.from({ length: LAST_CODE + 1 }, (_, code) =>
    lightToValue(Math.min(1, Math.max(0, curve(code / LAST_CODE)))),
  );
  return shown.every((value, code) => Math.abs(value - (shown[code - STEP] ?? value)) <= MAX_STEP);
}
