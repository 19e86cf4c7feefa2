import { failureReason, UnprocessableFileError } from '../failures';
import { MAX_PIXELS } from './open-image';
import { wrapInTiff } from './tiff-wrapper';
import type { Dimensions } from './variant-plan';

const FILE_HEADER = 14;
const OS2_HEADER = 12;
const SHORT_OS2_HEADER = 16;
const INFO_HEADER = 40;
const LONG_OS2_HEADER = 64;
const V5_HEADER = 124;

// biCompression.
const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

// Where the V5 header tells of a profile, and that it is in the file.
const COLOUR_SPACE_AT = 56;
const PROFILE_AT = 112;
const PROFILE_EMBEDDED = 0x4d424544;

/** Bits of red, green, blue and alpha in a pixel; 0 for none. */
type Masks = readonly [red: number, green: number, blue: number, alpha: number];
const MASKS_OF_16: Masks = [0x7c00, 0x03e0, 0x001f, 0];
const MASKS_OF_32: Masks = [0xff0000, 0xff00, 0xff, 0];

interface Bitmap extends Dimensions {
  readonly bits: number;
  readonly compression: number;
  readonly isTopDown: boolean;
  readonly headerEnd: number;
  readonly headerSize: number;
  readonly masks: Masks;
  readonly pixelsAt: number;
}

/**
 * Decodes a BMP as an uncompressed 8-bit TIFF that carries its profile, for libvips: every header, depth and set of
 * masks, run lengths, rows from either end. What run lengths skip is transparent, as in browsers. Throws
 * where the file makes no sense.
 */
export function decodeBmp(file: Buffer): Buffer {
  const bitmap = readHeader(file);
  if (bitmap.width * bitmap.height > MAX_PIXELS) throw new UnprocessableFileError(failureReason.pixels);
  return bitmap.bits <= 8 ? decodeIndexed(file, bitmap) : decodeDirect(file, bitmap);
}

function readHeader(file: Buffer): Bitmap {
  const headerSize = file.readUInt32LE(FILE_HEADER);
  const headerEnd = FILE_HEADER + headerSize;
  const place = { headerSize, headerEnd, pixelsAt: file.readUInt32LE(10) };
  if (headerSize === OS2_HEADER) {
    const [width, height, bits] = [file.readUInt16LE(18), file.readUInt16LE(20), file.readUInt16LE(24)];
    return { ...place, width, height, bits, compression: RGB, isTopDown: false, masks: MASKS_OF_32 };
  }
  const rows = file.readInt32LE(22);
  const bits = file.readUInt16LE(28);
  const compression = headerSize === SHORT_OS2_HEADER ? RGB : file.readUInt32LE(30);
  const bitmap = { ...place, width: file.readInt32LE(18), height: Math.abs(rows), bits, compression };
  const isKnown =
    compression === RGB ||
    (compression === RLE8 && bits === 8) ||
    (compression === RLE4 && bits === 4) ||
    // The same number stands for Huffman's code in OS/2.
    ([BITFIELDS, ALPHA_BITFIELDS].includes(compression) && bits >= 16 && headerSize !== LONG_OS2_HEADER);
  if (!isKnown || bitmap.width <= 0 || rows === 0)
    throw new UnprocessableFileError(failureReason.unsupported, `${bits} bits, compression ${compression}`);
  return { ...bitmap, isTopDown: rows < 0, masks: readMasks(file, bitmap) };
}

/** Masks lie in the header, or behind the shortest that there are any for: at the same place. */
function readMasks(
  file: Buffer,
  { bits, compression, headerSize }: Pick<Bitmap, 'bits' | 'compression' | 'headerSize'>,
): Masks {
  if (compression === RGB || bits <= 8) return bits === 16 ? MASKS_OF_16 : MASKS_OF_32;
  const mask = (index: number): number => file.readUInt32LE(FILE_HEADER + INFO_HEADER + 4 * index);
  const hasAlpha = headerSize >= INFO_HEADER + 16 || compression === ALPHA_BITFIELDS;
  return [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0];
}

/** Where a row from the top begins in the file. */
const rowStart = ({ pixelsAt, height, isTopDown }: Bitmap, row: number, stride: number): number =>
  pixelsAt + (isTopDown ? row : height - 1 - row) * stride;

const strideOf = ({ width, bits }: Bitmap): number => Math.ceil((width * bits) / 32) * 4;

function assertRows(file: Buffer, bitmap: Bitmap): void {
  if (bitmap.pixelsAt + strideOf(bitmap) * bitmap.height > file.length)
    throw new UnprocessableFileError(failureReason.image, 'The rows of the BMP end too early');
}

function decodeIndexed(file: Buffer, bitmap: Bitmap): Buffer {
  const { width, height, bits, compression } = bitmap;
  const palette = readPalette(file, bitmap);
  if (compression !== RGB) return fromRuns(file, bitmap, palette);
  assertRows(file, bitmap);
  const stride = strideOf(bitmap);
  const { tiff, pixels } = wrapInTiff({ width, height, channels: 3, depth: 8 }, profileOf(file, bitmap));
  const perByte = 8 / bits;
  for (let row = 0, to = 0; row < height; row++) {
    const from = rowStart(bitmap, row, stride);
    for (let x = 0; x < width; x++, to += 3) {
      const byte = file[from + Math.floor(x / perByte)] ?? 0;
      setColour(pixels, to, palette, (byte >> (8 - bits - (x % perByte) * bits)) & ((1 << bits) - 1));
    }
  }
  return tiff;
}

/** 256 colours of red, green and blue; black where the file has none. */
function readPalette(file: Buffer, { headerEnd, headerSize, pixelsAt }: Bitmap): Buffer {
  const bytes = headerSize === OS2_HEADER ? 3 : 4;
  const palette = Buffer.alloc(256 * 3);
  for (let index = 0, at = headerEnd; index < 256 && at + bytes <= pixelsAt; index++, at += bytes) {
    palette[index * 3] = file[at + 2] ?? 0;
    palette[index * 3 + 1] = file[at + 1] ?? 0;
    palette[index * 3 + 2] = file[at] ?? 0;
  }
  return palette;
}

function setColour(pixels: Buffer, at: number, palette: Buffer, index: number): void {
  for (let channel = 0; channel < 3; channel++) pixels[at + channel] = palette[index * 3 + channel] ?? 0;
}

/** Run lengths, from the row at the bottom up: pairs of a count and a value, or an escape and what it stands for. */
function fromRuns(file: Buffer, bitmap: Bitmap, palette: Buffer): Buffer {
  const { width, height, bits } = bitmap;
  const { tiff, pixels } = wrapInTiff({ width, height, channels: 4, depth: 8 }, profileOf(file, bitmap));
  pixels.fill(0);
  let [x, y, at] = [0, 0, bitmap.pixelsAt];
  const put = (index: number): void => {
    if (x < width && y < height) {
      const to = ((bitmap.isTopDown ? y : height - 1 - y) * width + x) * 4;
      setColour(pixels, to, palette, index);
      pixels[to + 3] = 255;
    }
    x++;
  };
  const indexOf = (byte: number, place: number): number =>
    bits === 8 ? byte : place % 2 === 0 ? byte >> 4 : byte & 15;
  while (y < height) {
    const [count, value] = [file.readUInt8(at), file.readUInt8(at + 1)];
    at += 2;
    if (count > 0) {
      for (let i = 0; i < count; i++) put(indexOf(value, i));
    } else if (value === 0) {
      [x, y] = [0, y + 1];
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += file.readUInt8(at);
      y += file.readUInt8(at + 1);
      at += 2;
    } else {
      const bytes = bits === 8 ? value : Math.ceil(value / 2);
      for (let i = 0; i < value; i++) put(indexOf(file.readUInt8(at + (bits === 8 ? i : i >> 1)), i));
      at += bytes + (bytes % 2);
    }
  }
  return tiff;
}

function decodeDirect(file: Buffer, bitmap: Bitmap): Buffer {
  const { width, height, bits, masks } = bitmap;
  assertRows(file, bitmap);
  const bytes = bits / 8;
  // Programs write a mask for transparency, and none of it: such a picture is opaque.
  const hasAlpha = masks[3] !== 0 && bytes !== 3 && hasAnyAlpha(file, bitmap, masks[3]);
  const channels = hasAlpha ? 4 : 3;
  const { tiff, pixels } = wrapInTiff({ width, height, channels, depth: 8 }, profileOf(file, bitmap));
  const places = masks.slice(0, channels).map(byteOf);
  for (let row = 0; row < height; row++) {
    const from = rowStart(bitmap, row, strideOf(bitmap));
    const to = row * width * channels;
    for (let channel = 0; channel < channels; channel++) {
      const place = places[channel];
      const sample = sampleOf(masks[channel] ?? 0);
      for (let x = 0; x < width; x++) {
        const at = from + x * bytes;
        pixels[to + x * channels + channel] =
          place === undefined ? sample(file.readUIntLE(at, bytes)) : (file[at + place] ?? 0);
      }
    }
  }
  return tiff;
}

/** Which byte of a pixel a mask covers; undefined where that is not one byte. */
function byteOf(mask: number): number | undefined {
  const place = [0xff, 0xff00, 0xff0000, 0xff000000].indexOf(mask);
  return place < 0 ? undefined : place;
}

function hasAnyAlpha(file: Buffer, bitmap: Bitmap, mask: number): boolean {
  const [bytes, stride] = [bitmap.bits / 8, strideOf(bitmap)];
  for (let row = 0; row < bitmap.height; row++) {
    const from = rowStart(bitmap, row, stride);
    for (let x = 0; x < bitmap.width; x++)
      if ((file.readUIntLE(from + x * bytes, bytes) & mask) !== 0) return true;
  }
  return false;
}

/** Takes one channel out of a pixel, as 8 bits. */
function sampleOf(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / most);
}

function profileOf(file: Buffer, { headerSize }: Bitmap): Buffer | undefined {
  if (headerSize !== V5_HEADER) return undefined;
  if (file.readUInt32LE(FILE_HEADER + COLOUR_SPACE_AT) !== PROFILE_EMBEDDED) return undefined;
  const offset = FILE_HEADER + file.readUInt32LE(FILE_HEADER + PROFILE_AT);
  return file.subarray(offset, offset + file.readUInt32LE(FILE_HEADER + PROFILE_AT + 4));
}
