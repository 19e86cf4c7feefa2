import type { Pixels } from '../pixels/pixels';
import type { Dimensions } from '../pixels/variant-plan';

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
/** Rows that libvips reads at a time. One strip for the whole picture would be a second copy of it in memory. */
const ROWS_PER_STRIP = 64;
const ENTRY_BYTES = 12;
const HEADER_BYTES = 8;

export interface RawLayout extends Dimensions {
  /** Red, green, blue, and alpha. */
  readonly channels: 3 | 4;
  /** Whether the colours are premultiplied with alpha; libvips undoes it. */
  readonly isPremultiplied?: boolean;
  /** Bits of each sample; 16 are little-endian. */
  readonly depth: 8 | 16;
}

/**
 * An uncompressed TIFF of the given layout. Fill `pixels`, which is a view of it. Raw pixels can't pass a colour
 * profile to libvips; a TIFF can (TIFF 6.0, and tag 34675 of ICC.1 annex B).
 */
export function wrapInTiff(
  { width, height, channels, depth, isPremultiplied = false }: RawLayout,
  profile?: Uint8Array,
): { readonly tiff: Buffer; readonly pixels: Buffer } {
  const rowBytes = (width * channels * depth) / 8;
  const strips = Math.ceil(height / ROWS_PER_STRIP);
  const rowsOf = (strip: number): number => Math.min(ROWS_PER_STRIP, height - strip * ROWS_PER_STRIP);

  const tags: [tag: number, type: number, values: number[] | Uint8Array][] = [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, Array.from({ length: channels }, () => depth)],
    [259, SHORT, [1]], // not compressed
    [262, SHORT, [2]], // RGB
    [273, LONG, Array.from({ length: strips }, () => 0)], // filled in below
    [274, SHORT, [1]], // upright
    [277, SHORT, [channels]],
    [278, LONG, [ROWS_PER_STRIP]],
    [279, LONG, Array.from({ length: strips }, (_, strip) => rowsOf(strip) * rowBytes)],
    [284, SHORT, [1]],
    ...(channels === 4 ? [[338, SHORT, [isPremultiplied ? 1 : 2]] as [number, number, number[]]] : []),
    ...(profile ? [[34675, UNDEFINED, profile] as [number, number, Uint8Array]] : []),
  ];
  const sizeOf = (type: number): number => (type === LONG ? 4 : type === SHORT ? 2 : 1);
  const extraAt = HEADER_BYTES + 2 + tags.length * ENTRY_BYTES + 4;
  const extraBytes = tags
    .map(([, type, { length }]) => length * sizeOf(type))
    .reduce((sum, bytes) => sum + (bytes > 4 ? bytes + (bytes % 2) : 0), 0);
  const pixelsAt = extraAt + extraBytes;
  for (const [tag, , values] of tags) {
    if (tag === 273)
      values.forEach((_, strip) => (values[strip] = pixelsAt + strip * ROWS_PER_STRIP * rowBytes));
  }

  const tiff = Buffer.allocUnsafeSlow(pixelsAt + rowBytes * height);
  tiff.fill(0, 0, pixelsAt);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(HEADER_BYTES, 4);
  tiff.writeUInt16LE(tags.length, HEADER_BYTES);
  let free = extraAt;
  for (const [index, [tag, type, values]] of tags.entries()) {
    const entry = HEADER_BYTES + 2 + index * ENTRY_BYTES;
    tiff.writeUInt16LE(tag, entry);
    tiff.writeUInt16LE(type, entry + 2);
    tiff.writeUInt32LE(values.length, entry + 4);
    const bytes = values.length * sizeOf(type);
    const at = bytes > 4 ? free : entry + 8;
    if (bytes > 4) {
      tiff.writeUInt32LE(free, entry + 8);
      free += bytes + (bytes % 2);
    }
    values.forEach((value, n) => tiff.writeUIntLE(value, at + n * sizeOf(type), sizeOf(type)));
  }
  return { tiff, pixels: tiff.subarray(pixelsAt) };
}

/** Pixels of 3 or 4 channels as a TIFF, with the profile that defines their colours. */
export function withProfile({ data, width, height, channels }: Pixels, profile: Uint8Array): Buffer {
  const layout = { width, height, channels: channels === 4 ? 4 : 3, depth: 8 } as const;
  const { tiff, pixels } = wrapInTiff(layout, profile);
  data.copy(pixels);
  return tiff;
}
