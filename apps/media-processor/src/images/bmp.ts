import {
  BMP_COMPRESSION,
  MemorySource,
  readBmpHeader,
  readRuns,
  strideOf,
  type BmpHeader,
} from '@vitrine/formats';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import { MAX_PIXELS } from '../pixels/pixel-limits';
import { wrapInTiff } from './tiff-wrapper';

/**
 * Decodes a BMP to an uncompressed 8-bit TIFF that holds its profile, for libvips. Reads all headers, depths and
 * masks, run lengths, and rows in both orders. upload-service has checked the pixels: run lengths skip none, and an alpha mask
 * has an effect. Throws an error if the file is damaged.
 */
export async function decodeBmp(file: Buffer): Promise<Buffer> {
  const bitmap = readBmpHeader(file);
  const { width, height, bitsPerPixel } = bitmap;
  assertSupported(bitmap);
  if (width * height > MAX_PIXELS) throw new UnprocessableFileError(failureReason.pixels);
  return bitsPerPixel <= 8 ? decodeIndexed(file, bitmap) : decodeDirect(file, bitmap);
}

function assertSupported({ width, height, bitsPerPixel, compression, hasMasks }: BmpHeader): void {
  const isKnown =
    hasMasks ||
    compression === BMP_COMPRESSION.none ||
    (compression === BMP_COMPRESSION.rle8 && bitsPerPixel === 8) ||
    (compression === BMP_COMPRESSION.rle4 && bitsPerPixel === 4);
  if (!isKnown || width <= 0 || height === 0)
    throw new UnprocessableFileError(
      failureReason.unsupported,
      `${bitsPerPixel} bits, compression ${compression}`,
    );
}

/** Position in the file of a row, counted from the top. */
const rowStart = ({ pixelsAt, height, isTopDown }: BmpHeader, row: number, stride: number): number =>
  pixelsAt + (isTopDown ? row : height - 1 - row) * stride;

function assertRows(file: Buffer, bitmap: BmpHeader): void {
  if (bitmap.pixelsAt + strideOf(bitmap) * bitmap.height > file.length)
    throw new UnprocessableFileError(failureReason.image, 'The rows of the BMP end too early');
}

async function decodeIndexed(file: Buffer, bitmap: BmpHeader): Promise<Buffer> {
  const { width, height, bitsPerPixel: bits, compression } = bitmap;
  const palette = readPalette(file, bitmap);
  if (compression !== BMP_COMPRESSION.none) return fromRuns(file, bitmap, palette);
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

/** 256 colours of red, green and blue; black if the file has fewer. */
function readPalette(file: Buffer, { headerEnd, paletteEntryBytes: bytes, pixelsAt }: BmpHeader): Buffer {
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

/** Decodes run lengths, whose rows are in the order of the file. */
async function fromRuns(file: Buffer, bitmap: BmpHeader, palette: Buffer): Promise<Buffer> {
  const { width, height, isTopDown } = bitmap;
  const indices = new Uint8Array(width * height);
  await readRuns(new MemorySource(file), bitmap, indices);
  const { tiff, pixels } = wrapInTiff({ width, height, channels: 3, depth: 8 }, profileOf(file, bitmap));
  for (let row = 0, to = 0; row < height; row++) {
    const from = (isTopDown ? row : height - 1 - row) * width;
    for (let x = 0; x < width; x++, to += 3) setColour(pixels, to, palette, indices[from + x] ?? 0);
  }
  return tiff;
}

function decodeDirect(file: Buffer, bitmap: BmpHeader): Buffer {
  const { width, height, bitsPerPixel: bits, masks } = bitmap;
  assertRows(file, bitmap);
  const bytes = bits / 8;
  const channels = masks[3] !== 0 && bytes !== 3 ? 4 : 3;
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

/** The byte of a pixel that a mask covers; undefined if it doesn't cover exactly one byte. */
function byteOf(mask: number): number | undefined {
  const place = [0xff, 0xff00, 0xff0000, 0xff000000].indexOf(mask);
  return place < 0 ? undefined : place;
}

/** Extracts one channel of a pixel, as 8 bits. */
function sampleOf(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / most);
}

function profileOf(file: Buffer, { profile }: BmpHeader): Buffer | undefined {
  return profile?.kind === 'embedded' ? file.subarray(profile.at, profile.at + profile.length) : undefined;
}
