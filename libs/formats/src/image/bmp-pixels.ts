import type { ByteSource } from '../bytes/byte-source';
import { highestSample } from '../bytes/packed-samples';
import { WindowReader } from '../bytes/window-reader';
import { BMP_COMPRESSION, strideOf, type BmpHeader } from './bmp-header';

/** What the pixels of a BMP need. */
export interface BmpPixels {
  /** Bytes of the pixels in the file. */
  readonly bytes: number;
  /** The highest number of a colour; 0 if there is no palette. */
  readonly highest: number;
  /** Whether any pixel has a bit of the alpha mask. */
  readonly hasAlpha: boolean;
  /** False for run lengths that skip pixels, end early or leave the picture: decoders show them in several ways. */
  readonly isWhole: boolean;
}

const hasRuns = ({ compression }: BmpHeader): boolean =>
  compression === BMP_COMPRESSION.rle8 || compression === BMP_COMPRESSION.rle4;

/** Reads all pixels, a row at a time. @throws UnreadableFileError if the file ends too early. */
export async function readPixels(source: ByteSource, layout: BmpHeader): Promise<BmpPixels> {
  if (hasRuns(layout)) return readRuns(source, layout);
  const { width, height, bitsPerPixel, masks, pixelsAt } = layout;
  const [stride, alpha] = [strideOf(layout), masks[3]];
  const reader = new WindowReader(source, pixelsAt);
  let [highest, hasAlpha] = [0, false];
  const isIndexed = bitsPerPixel <= 8;
  if (isIndexed || alpha !== 0)
    for (let row = 0; row < height && !hasAlpha; row++) {
      if (!reader.has(stride)) await reader.ensure(stride);
      const bytes = reader.take(stride);
      if (isIndexed) highest = Math.max(highest, highestSample(bytes, bitsPerPixel, width));
      else hasAlpha = hasBits(bytes, width, bitsPerPixel / 8, alpha);
    }
  return { bytes: stride * height, highest, hasAlpha, isWhole: true };
}

/** Whether any of the pixels in a row has a bit of this mask. */
function hasBits(row: Uint8Array, pixels: number, bytes: number, mask: number): boolean {
  const parts = Array.from({ length: bytes }, (_, place) => (mask >>> (8 * place)) & 0xff);
  for (let at = 0; at < pixels * bytes; at += bytes)
    for (let place = 0; place < bytes; place++)
      if (((row[at + place] ?? 0) & (parts[place] ?? 0)) !== 0) return true;
  return false;
}

/**
 * Reads run lengths, from the first row of the file on: pairs of a count and a value, or an escape and its operands. Fills
 * `target` (one byte for each pixel, rows in the order of the file) if it is given; pixels that are skipped keep their value.
 */
export async function readRuns(
  source: ByteSource,
  { width, height, bitsPerPixel, pixelsAt }: BmpHeader,
  target?: Uint8Array,
): Promise<BmpPixels> {
  const reader = new WindowReader(source, pixelsAt);
  const isByte = bitsPerPixel === 8;
  let [x, y, set, highest, isWhole] = [0, 0, 0, 0, true];
  const put = (index: number): void => {
    if (x < width && y < height) {
      if (index > highest) highest = index;
      if (target) target[y * width + x] = index;
      set++;
    } else isWhole = false;
    x++;
  };
  const half = (byte: number, place: number): number => (place % 2 === 0 ? byte >> 4 : byte & 15);
  for (;;) {
    if (!reader.has(2)) await reader.ensure(2);
    const [count, value] = [reader.u8(), reader.u8()];
    if (count > 0) {
      for (let place = 0; place < count; place++) put(isByte ? value : half(value, place));
    } else if (value === 0) {
      [x, y] = [0, y + 1];
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      if (!reader.has(2)) await reader.ensure(2);
      [x, y] = [x + reader.u8(), y + reader.u8()];
      isWhole = false;
    } else {
      const length = isByte ? value : Math.ceil(value / 2);
      const padded = length + (length % 2);
      if (!reader.has(padded)) await reader.ensure(padded);
      const literal = reader.take(padded);
      for (let place = 0; place < value; place++)
        put(isByte ? (literal[place] ?? 0) : half(literal[place >> 1] ?? 0, place));
    }
  }
  isWhole &&= set === width * height;
  return { bytes: reader.position - pixelsAt, highest, hasAlpha: false, isWhole };
}
