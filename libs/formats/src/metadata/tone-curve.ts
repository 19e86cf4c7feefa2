import { ByteView } from '../bytes/byte-view';
import { UnreadableFileError } from '../errors/file-errors';
import { lightToValue } from './srgb-curve';

/** Linear light (0 to 1) of an encoded value (0 to 1). */
export type ToneCurve = (value: number) => number;

/** Entries of a table. Programs have different limits; the smallest is 32,767. */
export const MAX_ENTRIES = 4096;

/** Parameters of each type of `para`: g, a, b, c, d, e, f. */
const PARAMETERS = [1, 3, 4, 5, 7] as const;

/**
 * The tone curve of a tag: `curv` (none, gamma, table) or `para` (ICC.1:2022, 10.6 and 10.18). Null for any other type,
 * if its bytes are too few, and for parameters and lengths that not all programs accept.
 */
export function readToneCurve(bytes: Uint8Array): ToneCurve | null {
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

function readTable(view: ByteView): ToneCurve | null {
  const count = view.u32(8);
  if (count === 0) return (value) => value;
  if (count === 1) {
    const gamma = view.u16(12) / 256;
    return (value) => value ** gamma;
  }
  if (count > MAX_ENTRIES) return null;
  view.take(12, count * 2);
  return curveOfTable(count, (index) => view.u16(12 + index * 2) / 65_535);
}

/** The curve through `count` (at least 2) equally distant points. */
export function curveOfTable(count: number, entry: (index: number) => number): ToneCurve {
  const last = count - 1;
  return (value) => {
    const below = Math.min(last - 1, Math.floor(value * last));
    return entry(below) + (value * last - below) * (entry(below + 1) - entry(below));
  };
}

function readFunction(view: ByteView): ToneCurve | null {
  const kind = view.u16(8);
  const count = PARAMETERS[kind] ?? 0;
  const values = Array.from({ length: count }, (_, index) => view.i32(12 + index * 4) / 65_536);
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  // Skia, which browsers use, ignores a profile with others.
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

const LAST_CODE = MAX_ENTRIES - 1;
/** Exponents of the curves between which all others must lie; sRGB is close to 2.2, linear light is 1. */
const EXPONENTS = { steepest: 4, flattest: 0.5 } as const;
const SLACK = 0.1;
/** Tables hold numbers of 16 bits. */
const ROUNDING = 0.001;
/** Linear light has the steepest curve near black: its first code of 8 bits is the 13th of sRGB. */
const MAX_STEP = 0.055;
/** Codes of 12 bits in a code of 8 bits. */
const STEP = 16;

/**
 * Whether a curve belongs to a device or a colour space: it rises from black to white, between the powers of 0.5 and 4,
 * without a step that would turn two codes of 8 bits into two different brightnesses. Any other makes a picture
 * visible that programs without colour management don't show, or hides one.
 */
export function isPlainCurve(curve: ToneCurve | null): boolean {
  if (!curve) return false;
  const shown = shownBy(curve);
  return shown.every((value, code) => {
    const isWithin = value >= (LOWEST[code] ?? 0) - SLACK && value <= (HIGHEST[code] ?? 0) + SLACK;
    const isRising = value >= (shown[code - 1] ?? 0) - ROUNDING;
    return isWithin && isRising && value - (shown[code - STEP] ?? value) <= MAX_STEP;
  });
}

/** How bright each code of 12 bits looks: the value of sRGB for its light. */
const shownBy = (curve: ToneCurve): Float64Array =>
  Float64Array.from({ length: LAST_CODE + 1 }, (_, code) => lightToValue(curve(code / LAST_CODE)));

const LOWEST = shownBy((value) => value ** EXPONENTS.steepest);
const HIGHEST = shownBy((value) => value ** EXPONENTS.flattest);
