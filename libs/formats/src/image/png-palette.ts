import { concatBytes } from '../bytes/arrays';
import { Cursor } from '../bytes/cursor';
import { u16 } from '../bytes/numbers';
import { PALETTE, type PngHeader } from './png-header';

const COLOUR = 3;

/**
 * The content of `PLTE` as decoders agree on it: no more colours than the depth can number. Undefined if it is not
 * valid.
 */
export function validPalette({ type, depth }: PngHeader, data: Uint8Array): Uint8Array | undefined {
  const isWhole = data.length > 0 && data.length % COLOUR === 0 && data.length <= 256 * COLOUR;
  return isWhole ? data.subarray(0, COLOUR * (type === PALETTE ? 2 ** depth : 256)) : undefined;
}

/** Whether a picture may use numbers of colours that its palette doesn't have. */
export const mayLackColours = ({ type, depth }: PngHeader, palette: Uint8Array): boolean =>
  type === PALETTE && palette.length < COLOUR * 2 ** depth;

/** A palette with every colour up to this number. The last colour is repeated, as in Chromium. */
export function padded(palette: Uint8Array, highest: number): Uint8Array {
  const missing = highest + 1 - palette.length / COLOUR;
  const last = palette.subarray(-COLOUR);
  return missing > 0 ? concatBytes([palette, ...Array<Uint8Array>(missing).fill(last)]) : palette;
}

/**
 * The content of `tRNS` as decoders agree on it; undefined if it is not valid. Some ignore alpha for more colours than
 * there are, and some ignore bits beyond the depth.
 */
export function validTransparency(
  { type, depth, channels }: PngHeader,
  palette: Uint8Array | undefined,
  data: Uint8Array,
): Uint8Array | undefined {
  if (type === PALETTE)
    return palette && data.length > 0 ? data.subarray(0, palette.length / COLOUR) : undefined;
  if ((type !== 0 && type !== 2) || data.length !== 2 * channels) return undefined;
  const cursor = new Cursor(data);
  return u16(...Array.from({ length: channels }, () => cursor.u16() & (2 ** depth - 1)));
}

/**
 * The number of bytes of chunks that describe the picture without changing it; null for any other chunk. Longer or shorter
 * ones are not valid, and could hold anything.
 */
export function describedBytes(
  { type, channels, isGrey }: PngHeader,
  palette: Uint8Array | undefined,
  name: string,
): number | null {
  switch (name) {
    case 'sBIT':
      return type === PALETTE ? COLOUR : channels;
    case 'bKGD':
      return type === PALETTE ? (palette ? 1 : null) : isGrey ? 2 : 6;
    case 'hIST':
      return palette ? (2 * palette.length) / COLOUR : null;
    case 'pHYs':
    case 'oFFs':
    case 'vpAg':
      return 9;
    case 'sTER':
      return 1;
    case 'caNv':
      return 16;
    default:
      return null;
  }
}
