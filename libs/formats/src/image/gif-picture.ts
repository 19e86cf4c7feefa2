import { concatBytes } from '../bytes/arrays';
import { u16le } from '../bytes/numbers';
import type { Size } from '../facts/displayed-size';
import type { GifArea } from './gif-transparency';
import { encodeLzw, LzwReader, type LzwContent } from './gif-lzw';

/** Longest sub-block. */
const SUB_BLOCK = 255;
const COLOUR = 3;
export const IMAGE = 0x2c;
export const HAS_TABLE = 0x80;
const IS_INTERLACED = 0x40;
const [MIN_CODE_SIZE, MAX_CODE_SIZE] = [2, 8];

/** First row and step of the passes of an interlaced picture (GIF89a, appendix E). */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

/** One picture of a GIF as the file stores it. */
export interface StoredPicture extends GifArea {
  /** The last byte of the image descriptor. */
  readonly flags: number;
  /** The table of colours that counts for it, three bytes each. */
  readonly palette: Uint8Array;
  readonly codeSize: number;
  readonly content: LzwContent;
}

/** A picture as it is served. */
export interface ServedPicture extends GifArea {
  /** From the image descriptor to the end of the pixels. */
  readonly bytes: Uint8Array;
  readonly colours: number;
  readonly codeSize: number;
}

export const isCodeSize = (codeSize: number): boolean =>
  codeSize >= MIN_CODE_SIZE && codeSize <= MAX_CODE_SIZE;

export const coloursOf = ({ palette }: Pick<StoredPicture, 'palette'>): number => palette.length / COLOUR;

/** Whether all decoders show the same picture: its pixels are complete, within the canvas and of colours that exist. */
export const isSound = (picture: StoredPicture, canvas: Size): boolean =>
  picture.content.isValid &&
  picture.content.pixels === picture.width * picture.height &&
  picture.content.highest < coloursOf(picture) &&
  picture.left + picture.width <= canvas.width &&
  picture.top + picture.height <= canvas.height;

/**
 * The picture written again, as Chromium shows it: without what lies outside of the canvas and without rows that the file
 * doesn't hold; missing rows of an interlaced picture repeat the rows above them; missing colours are black. `data` is the
 * stream of codes. Undefined if nothing is left.
 */
export function writeSound(
  picture: StoredPicture,
  data: Uint8Array,
  canvas: Size,
): ServedPicture | undefined {
  const { width, height, left, top, codeSize, flags } = picture;
  const indices = new Uint8Array(width * height);
  const reader = new LzwReader(codeSize, indices);
  reader.add(data);
  const rows = Math.floor(Math.min(reader.content.pixels, indices.length) / width);
  const shown = {
    left,
    top,
    width: Math.min(width, canvas.width - left),
    height: Math.min((flags & IS_INTERLACED) === 0 ? rows : rows > 0 ? height : 0, canvas.height - top),
  };
  if (shown.width <= 0 || shown.height <= 0) return undefined;
  const order = (flags & IS_INTERLACED) === 0 ? undefined : storedRows(height, rows);
  const cut = new Uint8Array(shown.width * shown.height);
  let highest = 0;
  for (let row = 0; row < shown.height; row++) {
    const from = (order?.[row] ?? row) * width;
    cut.set(indices.subarray(from, from + shown.width), row * shown.width);
  }
  for (const index of cut) if (index > highest) highest = index;
  const table = highest < coloursOf(picture) ? undefined : extended(picture.palette, highest + 1);
  const colours = (table ?? picture.palette).length / COLOUR;
  const size = Math.max(MIN_CODE_SIZE, Math.log2(colours));
  // Its own table stays, of whatever length.
  const own = table ?? ((flags & HAS_TABLE) !== 0 ? picture.palette : undefined);
  const bytes = concatBytes([
    Uint8Array.of(IMAGE),
    u16le(shown.left, shown.top, shown.width, shown.height),
    Uint8Array.of(own ? HAS_TABLE | (Math.log2(own.length / COLOUR) - 1) : 0),
    own ?? new Uint8Array(0),
    Uint8Array.of(size),
    subBlocks(encodeLzw(cut, size)),
  ]);
  return { ...shown, bytes, colours, codeSize: size };
}

/** For each row of an interlaced picture, the place in the file of the row to show: its own, or the last above it. */
function storedRows(height: number, count: number): number[] {
  const places = new Array<number>(height).fill(-1);
  let place = 0;
  for (const [first, step] of PASSES)
    for (let row = first; row < height; row += step, place++) if (place < count) places[row] = place;
  for (let row = 1; row < height; row++) if (places[row] === -1) places[row] = places[row - 1] ?? 0;
  return places;
}

/** A palette of the next length that has this number of colours, filled with black. */
function extended(palette: Uint8Array, colours: number): Uint8Array {
  const table = new Uint8Array(COLOUR * 2 ** Math.ceil(Math.log2(Math.max(2, colours))));
  table.set(palette);
  return table;
}

/** Bytes in sub-blocks of the greatest length, with the empty one at their end. */
export function subBlocks(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += SUB_BLOCK) {
    const block = bytes.subarray(at, at + SUB_BLOCK);
    parts.push(Uint8Array.of(block.length), block);
  }
  return concatBytes([...parts, Uint8Array.of(0)]);
}

/** The content of sub-blocks, up to the empty one or to the end of the bytes. */
export function withoutSubBlocks(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length && bytes[at] !== 0; at += (bytes[at] ?? 0) + 1)
    parts.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)));
  return concatBytes(parts);
}
