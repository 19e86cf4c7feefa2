import { concatBytes, isZero } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { u32le } from '../bytes/numbers';
import { readExactly } from '../bytes/read';
import { asciiBytes } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { cleanProfile, MAX_PROFILE_BYTES } from '../metadata/colour-profile';
import { RewriteBuilder } from '../rewriting/rewrite-builder';
import {
  ALPHA_MASK_AT,
  ALPHA_MASK_END,
  BMP_COMPRESSION,
  BMP_FILE_HEADER,
  BMP_HEADER_BYTES,
  COLOUR_SPACE_AT,
  PROFILE_AT,
  readBmpHeader,
  type BmpHeader,
} from './bmp-header';

const MAX_PADDING = 4096;
/** The number of sRGB in the V5 header's colour space. */
const SRGB = 0x73524742;
/** Endpoints and gammas in the header, for the colour space 0 before them. */
const CALIBRATION = { from: 60, to: 108 } as const;

/**
 * Reads a BMP and lays it out again: headers, masks or palette, rows, embedded profile, without gaps. A linked profile (a
 * path on the author's disk) and an invalid one are replaced by sRGB. An alpha mask that the compression makes meaningless is
 * cleared, because only some browsers would apply it.
 * @throws UnreadableFileError if the file is cut off, or holds anything but pixels or run lengths.
 */
export async function inspectBmp(source: ByteSource): Promise<Inspection> {
  const layout = readBmpHeader(await readExactly(source, 0, Math.min(BMP_HEADER_BYTES, source.size)));
  assertDecodable(layout);
  const { headerEnd, pixelsAt } = layout;
  const header = await readExactly(source, BMP_FILE_HEADER, headerEnd - BMP_FILE_HEADER);
  const tableEnd = Math.min(headerEnd + layout.tableBytes, pixelsAt);
  if (tableEnd < headerEnd) throw new UnreadableFileError('The pixels of the BMP lie in its header.');
  const pixelBytes = await countPixelBytes(source, layout);
  const pixelsEnd = pixelsAt + pixelBytes;
  if (pixelsEnd > source.size) throw new UnreadableFileError('The BMP ends too early.');
  const newHeader = withoutCalibration(header);
  if (layout.hasIdleAlphaMask) newHeader.fill(0, ALPHA_MASK_AT, ALPHA_MASK_END);
  const profile = await moveProfile(source, layout, newHeader, tableEnd - BMP_FILE_HEADER + pixelBytes);

  const size = tableEnd + pixelBytes + profile.length;
  const whole = new RewriteBuilder();
  whole.put(concatBytes([asciiBytes('BM'), u32le(size), u32le(0), u32le(tableEnd), newHeader]));
  whole.keep(headerEnd, tableEnd);
  whole.keep(pixelsAt, pixelsEnd);
  whole.put(profile);
  const facts = imageFacts('bmp', layout);
  const isClean =
    profile.length === 0 &&
    Buffer.compare(newHeader, header) === 0 &&
    (await isPlainFileHeader(source, size)) &&
    (await isPadding(source, tableEnd, pixelsAt)) &&
    (await isPadding(source, pixelsEnd, source.size));
  return { facts, rewrite: isClean ? null : await whole.finish(source) };
}

/** Whether the file header holds a true length, and zeros in its reserved fields. */
async function isPlainFileHeader(source: ByteSource, size: number): Promise<boolean> {
  const cursor = new Cursor(await readExactly(source, 2, 8), 0, true);
  return [0, size, source.size].includes(cursor.u32()) && cursor.u32() === 0;
}

/** Writers put zeros in front of the pixels, to align them, and at the end of the file. */
async function isPadding(source: ByteSource, from: number, to: number): Promise<boolean> {
  return to - from <= MAX_PADDING && isZero(await readExactly(source, from, to - from));
}

function assertDecodable({ width, bitsPerPixel, compression }: BmpHeader): void {
  const { none, rle8, rle4, masks, alphaMasks } = BMP_COMPRESSION;
  const isPlain =
    (compression === none || compression === masks || compression === alphaMasks) &&
    [1, 2, 4, 8, 16, 24, 32].includes(bitsPerPixel);
  const isPacked =
    (compression === rle8 && bitsPerPixel === 8) || (compression === rle4 && bitsPerPixel === 4);
  if (width <= 0 || !(isPlain || isPacked))
    throw new UnreadableFileError('The header of the BMP is invalid.');
}

/** Bytes of the rows, each padded to 4 bytes, or of the run lengths up to their end. */
async function countPixelBytes(source: ByteSource, layout: BmpHeader): Promise<number> {
  const { compression, pixelsAt: at } = layout;
  if (compression !== BMP_COMPRESSION.rle8 && compression !== BMP_COMPRESSION.rle4) {
    return Math.ceil((layout.width * layout.bitsPerPixel) / 32) * 4 * layout.height;
  }
  const reader = new WindowReader(source, at);
  for (;;) {
    if (!reader.has(2)) await reader.ensure(2);
    const [count, value] = [reader.u8(), reader.u8()];
    if (count > 0) continue;
    if (value === 1) return reader.position - at;
    // 0 ends a row; 2 is followed by a movement in two bytes; from 3 on, that number of pixels follows, padded to 2
    // bytes.
    const literal = compression === BMP_COMPRESSION.rle8 ? value : Math.ceil(value / 2);
    const extra = value === 0 ? 0 : value === 2 ? 2 : literal + (literal % 2);
    if (!reader.has(extra)) await reader.ensure(extra);
    reader.take(extra);
  }
}

/**
 * A copy of a header. If it has calibrated colours (V4 and V5: primaries and gammas, which only some browsers read), it
 * names sRGB instead.
 */
function withoutCalibration(header: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(header);
  const { from, to } = CALIBRATION;
  const isCalibrated = copy.length >= to && isZero(copy.subarray(COLOUR_SPACE_AT, from));
  if (isCalibrated && !isZero(copy.subarray(from, to))) {
    copy.set(u32le(SRGB), COLOUR_SPACE_AT);
    copy.fill(0, from, to);
  }
  return copy;
}

/**
 * The clean profile of a V5 picture, empty if there is none to keep. Makes `header` (from byte `BMP_FILE_HEADER` on) point to
 * `newOffset`, where the profile will be; its offset counts from the header's start.
 */
async function moveProfile(
  source: ByteSource,
  { profile }: BmpHeader,
  header: Uint8Array,
  newOffset: number,
): Promise<Uint8Array> {
  const none = new Uint8Array(0);
  if (!profile) return none;
  header.fill(0, PROFILE_AT, PROFILE_AT + 8);
  if (!profile.kind) return none;
  const clean =
    profile.kind === 'embedded' && profile.length <= MAX_PROFILE_BYTES
      ? cleanProfile(await readExactly(source, profile.at, profile.length), ['RGB '])
      : null;
  if (!clean) {
    header.set(u32le(SRGB), COLOUR_SPACE_AT);
    return none;
  }
  header.set(u32le(newOffset), PROFILE_AT);
  header.set(u32le(clean.length), PROFILE_AT + 4);
  return clean;
}
