import type { ByteSource } from '../byte-source';
import { asciiBytes, concatBytes, Cursor } from '../bytes/cursor';
import { readExactly } from '../bytes/read';
import { RewriteBuilder } from '../bytes/rewrite-builder';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError, type Inspection } from '../media-format';
import { cleanProfile, MAX_PROFILE_BYTES } from '../colour-profile';
import { isZero } from '../software-name';
import { imageFacts } from './image-facts';

const FILE_HEADER = 14;
const OS2_HEADER = 12;
const INFO_HEADER = 40;
const V5_HEADER = 124;

const MAX_PADDING = 4096;

// biCompression.
const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

// Where the V5 header holds the colour space, and what it may be.
const COLOUR_SPACE_AT = 56;
const PROFILE_AT = 112;
const SRGB = 0x73524742;
const PROFILE_LINKED = 0x4c494e4b;
const PROFILE_EMBEDDED = 0x4d424544;

interface Layout {
  readonly width: number;
  /** Rows; the sign of the header's number only says which comes first. */
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly compression: number;
  /** Bytes of the colour masks or palette behind the header. */
  readonly tableBytes: number;
}

/**
 * Reads a BMP and lays it out again: headers, masks or palette, rows, embedded profile, and no gap between them. A linked
 * profile (a path on the author's disk), and one that isn't valid, becomes sRGB.
 * @throws UnreadableFileError where it is cut off or not a plain picture.
 */
export async function inspectBmp(source: ByteSource): Promise<Inspection> {
  const fileHeader = new Cursor(await readExactly(source, 0, FILE_HEADER + 4), 10, true);
  const pixels = fileHeader.u32();
  const headerSize = fileHeader.u32();
  if (headerSize > V5_HEADER) throw new UnreadableFileError('The header of the BMP makes no sense.');
  const header = await readExactly(source, FILE_HEADER, headerSize);
  const layout = readLayout(header);
  const tableStart = FILE_HEADER + headerSize;
  const tableEnd = Math.min(tableStart + layout.tableBytes, pixels);
  if (tableEnd < tableStart) throw new UnreadableFileError('The pixels of the BMP lie in its header.');
  const pixelsEnd = pixels + (await pixelBytes(source, layout, pixels));
  if (pixelsEnd > source.size) throw new UnreadableFileError('The BMP ends too early.');
  const tidy = Uint8Array.from(header);
  const profile = await takeProfile(
    source,
    tidy,
    headerSize + (tableEnd - tableStart) + (pixelsEnd - pixels),
  );

  const tableBytes = tableEnd - tableStart;
  const newPixels = FILE_HEADER + headerSize + tableBytes;
  const size = newPixels + (pixelsEnd - pixels) + profile.length;
  const whole = new RewriteBuilder();
  whole.put(concatBytes([asciiBytes('BM'), u32(size), u32(0), u32(newPixels), tidy]));
  whole.keep(tableStart, tableEnd);
  whole.keep(pixels, pixelsEnd);
  whole.put(profile);
  const facts = imageFacts('bmp', layout);
  const isPlain =
    profile.length === 0 &&
    Buffer.compare(tidy, header) === 0 &&
    (await isPlainHead(source, size)) &&
    (await isPadding(source, tableEnd, pixels)) &&
    (await isPadding(source, pixelsEnd, source.size));
  return { facts, rewrite: isPlain ? null : await whole.settle(source) };
}

/** Whether the file header tells a length that is one, and nothing where it has nothing to tell. */
async function isPlainHead(source: ByteSource, size: number): Promise<boolean> {
  const cursor = new Cursor(await readExactly(source, 2, 8), 0, true);
  return [0, size, source.size].includes(cursor.u32()) && cursor.u32() === 0;
}

/** Writers align pixels and fill files up with zeros. */
async function isPadding(source: ByteSource, from: number, to: number): Promise<boolean> {
  return to - from <= MAX_PADDING && isZero(await readExactly(source, from, to - from));
}

function readLayout(header: Uint8Array): Layout {
  const cursor = new Cursor(header, 4, true);
  if (header.length === OS2_HEADER) {
    const [width, height, , bitsPerPixel] = [cursor.u16(), cursor.u16(), cursor.u16(), cursor.u16()];
    const tableBytes = bitsPerPixel <= 8 ? 3 << bitsPerPixel : 0;
    return checked({ width, height, bitsPerPixel, compression: RGB, tableBytes });
  }
  const [width, height] = [cursor.i32(), Math.abs(cursor.i32())];
  cursor.skip(2);
  const bitsPerPixel = cursor.u16();
  if (header.length === 16) {
    return checked({
      width,
      height,
      bitsPerPixel,
      compression: RGB,
      tableBytes: bitsPerPixel <= 8 ? 4 << bitsPerPixel : 0,
    });
  }
  const compression = cursor.u32();
  cursor.skip(12);
  const used = cursor.u32();
  const masks =
    header.length > INFO_HEADER
      ? 0
      : compression === BITFIELDS
        ? 12
        : compression === ALPHA_BITFIELDS
          ? 16
          : 0;
  const colours = bitsPerPixel <= 8 ? Math.min(used || 256, 1 << bitsPerPixel) : 0;
  return checked({ width, height, bitsPerPixel, compression, tableBytes: masks + colours * 4 });
}

function checked(layout: Layout): Layout {
  const { width, bitsPerPixel, compression } = layout;
  const plain =
    [RGB, BITFIELDS, ALPHA_BITFIELDS].includes(compression) &&
    [1, 2, 4, 8, 16, 24, 32].includes(bitsPerPixel);
  const packed = (compression === RLE8 && bitsPerPixel === 8) || (compression === RLE4 && bitsPerPixel === 4);
  if (width <= 0 || !(plain || packed))
    throw new UnreadableFileError('The header of the BMP makes no sense.');
  return layout;
}

/** Bytes of the rows: each padded to 4 bytes, or as far as the run lengths go. */
async function pixelBytes(source: ByteSource, layout: Layout, at: number): Promise<number> {
  if (layout.compression !== RLE8 && layout.compression !== RLE4) {
    return Math.ceil((layout.width * layout.bitsPerPixel) / 32) * 4 * layout.height;
  }
  const reader = new WindowReader(source, at);
  for (;;) {
    if (!reader.has(2)) await reader.ensure(2);
    const [count, value] = [reader.u8(), reader.u8()];
    if (count > 0) continue;
    if (value === 1) return reader.position - at;
    // 0 ends a row, 2 moves by two bytes; from 3 on literal pixels follow, padded to 2 bytes.
    const literal = layout.compression === RLE8 ? value : Math.ceil(value / 2);
    const extra = value === 0 ? 0 : value === 2 ? 2 : literal + (literal % 2);
    if (!reader.has(extra)) await reader.ensure(extra);
    reader.take(extra);
  }
}

/**
 * The profile of a V5 picture, empty if there is none to keep. Makes the header point to `newOffset` (bytes from the
 * header's start), where the profile will be.
 */
async function takeProfile(source: ByteSource, header: Uint8Array, newOffset: number): Promise<Uint8Array> {
  const none = new Uint8Array(0);
  if (header.length !== V5_HEADER) return none;
  const view = new DataView(header.buffer, header.byteOffset);
  const colourSpace = view.getUint32(COLOUR_SPACE_AT, true);
  const [offset, length] = [view.getUint32(PROFILE_AT, true), view.getUint32(PROFILE_AT + 4, true)];
  view.setBigUint64(PROFILE_AT, 0n, true);
  if (colourSpace !== PROFILE_EMBEDDED && colourSpace !== PROFILE_LINKED) return none;
  const profile =
    colourSpace === PROFILE_EMBEDDED && length <= MAX_PROFILE_BYTES
      ? cleanProfile(await readExactly(source, FILE_HEADER + offset, length))
      : null;
  if (!profile) {
    view.setUint32(COLOUR_SPACE_AT, SRGB, true);
    return none;
  }
  view.setUint32(PROFILE_AT, newOffset, true);
  view.setUint32(PROFILE_AT + 4, profile.length, true);
  return profile;
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
