import { deflateSync } from 'node:zlib';
import { PNG_SIGNATURE, pngChunk } from '../../src/images/png/png-chunks';
import { RASTER_EDGE, sampleAt } from './raster-cell';

export type Part = readonly [type: string, data: Uint8Array, isDamaged?: 'checksum'];

export const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * index);
  return bytes;
};
export const u16 = (...values: readonly number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]));

/** Colour types by number, with their channels and allowed depths (W3C PNG, third edition, 11.2.1). */
export const TYPES: ReadonlyMap<number, { readonly channels: number; readonly depths: readonly number[] }> =
  new Map([
    [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
    [2, { channels: 3, depths: [8, 16] }],
    [3, { channels: 1, depths: [1, 2, 4, 8] }],
    [4, { channels: 2, depths: [8, 16] }],
    [6, { channels: 4, depths: [8, 16] }],
  ]);

export interface PngShape {
  readonly type: number;
  readonly depth: number;
  readonly interlaced?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Filter of each row. */
  readonly filter?: (row: number) => number;
  /** The largest index of a picture with a palette. */
  readonly lastIndex?: number;
  /** Replaces the usual samples; each is a value of `depth` bits. */
  readonly sample?: (x: number, y: number, channel: number) => number;
}

export const header = (
  { type, depth, interlaced = false, width = RASTER_EDGE, height = RASTER_EDGE }: PngShape,
  { compression = 0, filtering = 0, interlacing = interlaced ? 1 : 0 } = {},
): Buffer => Buffer.concat([u32(width, height), Buffer.of(depth, type, compression, filtering, interlacing)]);

/** Left, top, and steps of the passes of Adam7. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The rows of a picture with their filters, before compression. */
export function rows(shape: PngShape): Buffer {
  const { type, depth, interlaced, width = RASTER_EDGE, height = RASTER_EDGE } = shape;
  const { channels } = TYPES.get(type) ?? { channels: 1 };
  const most = 2 ** depth - 1;
  const { lastIndex = most } = shape;
  const usual = (x: number, y: number, channel: number): number => {
    if (type === 3) return (x + y) % (lastIndex + 1);
    const isAlpha = (type === 4 && channel === 1) || channel === 3;
    return Math.round(sampleAt(x, y, isAlpha ? 3 : channel) * most);
  };
  const sample = shape.sample ?? usual;
  const out: Buffer[] = [];
  for (const [left, top, stepX, stepY] of interlaced ? PASSES : ([[0, 0, 1, 1]] as const)) {
    const columns = Math.ceil((width - left) / stepX);
    if (columns <= 0) continue;
    let previous = Buffer.alloc(Math.ceil((columns * channels * depth) / 8));
    for (let y = top, row = 0; y < height; y += stepY, row++) {
      const bytes = Buffer.alloc(previous.length);
      for (let place = 0; place < columns * channels; place++) {
        const x = left + Math.floor(place / channels) * stepX;
        const value = sample(x, y, place % channels);
        if (depth === 16) bytes.writeUInt16BE(value, place * 2);
        else {
          const bit = place * depth;
          const at = bit >> 3;
          bytes[at] = (bytes[at] ?? 0) | ((value & most) << (8 - depth - (bit & 7)));
        }
      }
      out.push(filtered(bytes, previous, Math.max(1, (channels * depth) >> 3), shape.filter?.(row) ?? 0));
      previous = bytes;
    }
  }
  return Buffer.concat(out);
}

function filtered(bytes: Buffer, above: Buffer, step: number, filter: number): Buffer {
  const out = Buffer.alloc(bytes.length + 1);
  out[0] = filter;
  for (let at = 0; at < bytes.length; at++) {
    const [a, b, c] = [bytes[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0];
    const left = at >= step ? a : 0;
    const corner = at >= step ? c : 0;
    const guess = [0, left, b, (left + b) >> 1, paeth(left, b, corner)][filter] ?? 0;
    out[at + 1] = (bytes[at] ?? 0) - guess;
  }
  return out;
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** A palette of this number of colours, each of them different. */
export const palette = (colours: number): Buffer =>
  Buffer.from(
    Array.from({ length: colours }, (_, i) => [
      (i * 67) & 255,
      (i * 151 + 40) & 255,
      (255 - i * 29) & 255,
    ]).flat(),
  );

export const file = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    PNG_SIGNATURE,
    ...parts.map(([type, data, damage]) => {
      const chunk = pngChunk(type, Buffer.from(data));
      if (damage) chunk.writeUInt8((chunk.at(-1) ?? 0) ^ 1, chunk.length - 1);
      return chunk;
    }),
  ]);

export const END: Part = ['IEND', new Uint8Array(0)];

/** The chunks of a plain picture: header, perhaps a palette, pixels, end. */
export function parts(shape: PngShape): Part[] {
  const colours: Part[] = shape.type === 3 ? [['PLTE', palette(2 ** shape.depth)]] : [];
  return [['IHDR', header(shape)], ...colours, ['IDAT', deflateSync(rows(shape))], END];
}

/** Parts before the first chunk of a type. */
export function before(all: readonly Part[], type: string, ...added: readonly Part[]): Part[] {
  const at = all.findIndex(([name]) => name === type);
  return [...all.slice(0, at), ...added, ...all.slice(at)];
}

/** Parts with those of one type replaced. */
export const replaced = (all: readonly Part[], type: string, ...by: readonly Part[]): Part[] => {
  const at = all.findIndex(([name]) => name === type);
  return [...all.slice(0, at), ...by, ...all.slice(at + 1)];
};
