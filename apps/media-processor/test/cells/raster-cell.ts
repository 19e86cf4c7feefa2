/** Pixels on each side of a cell's picture. */
export const RASTER_EDGE = 16;

/** One way to write a picture, with a name. */
export interface RasterCell {
  readonly name: string;
  readonly format: 'png' | 'gif' | 'bmp' | 'webp' | 'avif' | 'jpeg' | 'tiff';
  readonly bytes: Buffer;
  /** Whether real programs write such files, so that the upload must accept it. */
  readonly isLegitimate: boolean;
}

export type Pair = readonly [name: string, bytes: Buffer];

/** Cells that an upload may refuse or write again, but that must not look different to visitors. */
export const neighbours = (format: RasterCell['format'], pairs: readonly Pair[]): RasterCell[] =>
  pairs.map(([name, bytes]) => ({ name: `${format}: ${name}`, format, bytes, isLegitimate: false }));

/** Cells that must be accepted. */
export const legitimate = (format: RasterCell['format'], pairs: readonly Pair[]): RasterCell[] =>
  neighbours(format, pairs).map((cell) => ({ ...cell, isLegitimate: true }));

/** A copy with one byte set. */
export function withByte(file: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt8(value, at);
  return copy;
}

/** A copy with other bytes in place of `[from, to)`. */
export const spliced = (file: Buffer, from: number, to: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([file.subarray(0, from), ...parts, file.subarray(to)]);

/** The sample of a picture whose every pixel tells its place: 0 to 1. Channel 3 is its transparency. */
export function sampleAt(x: number, y: number, channel: number): number {
  if (channel === 3) return ((x >> 2) + (y >> 2)) % 3 === 0 ? 0 : ((x >> 2) + (y >> 2)) % 3 === 1 ? 0.5 : 1;
  if (channel === 0) return x / (RASTER_EDGE - 1);
  if (channel === 1) return y / (RASTER_EDGE - 1);
  return (x ^ y) & 4 ? 1 : 0;
}
