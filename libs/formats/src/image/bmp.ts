import { concatBytes, isZero } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { u32le } from '../bytes/numbers';
import { readExactly } from '../bytes/read';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
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
  FIELDS,
  LONG_OS2_HEADER,
  PROFILE_AT,
  readBmpHeader,
  SHORT_HEADER,
  strideOf,
  type BmpHeader,
  type BmpMasks,
} from './bmp-header';
import { readPixels, readRuns, type BmpPixels } from './bmp-pixels';

const MAX_PADDING = 4096;
/** Limit of the pixels of a picture that is written again. */
const MAX_REWRITTEN = 1 << 24;
const MASK_BYTES = 4;
/** The number of sRGB in the V5 header's colour space. */
const SRGB = 0x73524742;
/** Endpoints and gammas in the header, for the colour space 0 before them. */
const CALIBRATION = { from: 60, to: 108 } as const;

/**
 * Reads a BMP and lays it out again: headers, masks or palette, rows, embedded profile, without gaps. A linked profile (a
 * path on the author's disk) and an invalid one are replaced by sRGB. What decoders read differently is written again: an
 * alpha mask without effect is cleared, colours that the palette lacks become black, and run lengths that don't fill the
 * picture become rows.
 * @throws UnreadableFileError if the file is damaged. @throws UnsupportedVariantError if its pixels are coded in an unusual way.
 */
export async function inspectBmp(source: ByteSource): Promise<Inspection> {
  const layout = readBmpHeader(await readExactly(source, 0, Math.min(BMP_HEADER_BYTES, source.size)));
  assertSupported(layout);
  const { headerEnd, pixelsAt, tableBytes } = layout;
  const header = await readExactly(source, BMP_FILE_HEADER, headerEnd - BMP_FILE_HEADER);
  const pixels = await readPixels(source, layout);
  const pixelsEnd = pixelsAt + pixels.bytes;
  if (pixelsEnd > source.size) throw new UnreadableFileError('The BMP ends too early.');
  const table = await readExactly(source, headerEnd, tableBytes);
  const { table: newTable, colours } = withMissingColours(layout, pixels, table);
  const rows = pixels.isWhole ? null : await rowsOfRuns(source, layout, newTable);
  const pixelBytes = rows?.length ?? pixels.bytes;
  const tableEnd = headerEnd + newTable.length;
  const newHeader = withoutCalibration(header);
  if (layout.hasIdleAlphaMask || !pixels.hasAlpha) clearAlphaMask(layout, newHeader, newTable);
  if (newHeader.length > SHORT_HEADER) {
    newHeader.set([1, 0], FIELDS.planes);
    const stated = new Cursor(header, FIELDS.imageBytes, true).u32();
    if (rows) newHeader.set(u32le(BMP_COMPRESSION.none), FIELDS.compression);
    if (rows || (stated !== 0 && stated !== pixelBytes)) newHeader.set(u32le(pixelBytes), FIELDS.imageBytes);
    const used = new Cursor(header, FIELDS.usedColours, true).u32();
    if (used !== 0 || colours < 2 ** layout.bitsPerPixel) newHeader.set(u32le(colours), FIELDS.usedColours);
  }
  const profile = await moveProfile(source, layout, newHeader, tableEnd - BMP_FILE_HEADER + pixelBytes);

  const size = tableEnd + pixelBytes + profile.length;
  const whole = new RewriteBuilder();
  whole.put(concatBytes([asciiBytes('BM'), u32le(size), u32le(0), u32le(tableEnd), newHeader, newTable]));
  if (rows) whole.put(rows);
  else whole.keep(pixelsAt, pixelsEnd);
  whole.put(profile);
  const facts = imageFacts('bmp', layout);
  const isClean =
    !rows &&
    profile.length === 0 &&
    Buffer.compare(newHeader, header) === 0 &&
    Buffer.compare(newTable, table) === 0 &&
    (await isPlainFileHeader(source, size)) &&
    (await isPadding(source, tableEnd, pixelsAt)) &&
    (await isPadding(source, pixelsEnd, source.size));
  return { facts, rewrite: isClean ? null : await whole.finish(source) };
}

/** The masks or the palette, with a black colour for each number that has none, and the number of colours. */
function withMissingColours(
  { colours, paletteEntryBytes, bitsPerPixel }: BmpHeader,
  { highest, isWhole }: BmpPixels,
  table: Uint8Array,
): { readonly table: Uint8Array; readonly colours: number } {
  if (bitsPerPixel > 8) return { table, colours: 0 };
  // Pixels that run lengths skip become black as well.
  const needed = isWhole ? highest + 1 : Math.max(highest + 1, Math.min(colours + 1, 2 ** bitsPerPixel));
  const missing = new Uint8Array(Math.max(0, needed - colours) * paletteEntryBytes);
  return { table: concatBytes([table, missing]), colours: Math.max(colours, needed) };
}

/** The rows of a picture of run lengths. Skipped pixels are black, or have the first colour if there is no black. */
async function rowsOfRuns(source: ByteSource, layout: BmpHeader, table: Uint8Array): Promise<Uint8Array> {
  const { width, height, bitsPerPixel, paletteEntryBytes } = layout;
  if (width * height > MAX_REWRITTEN) throw new UnreadableFileError('The runs of the BMP do not fill it.');
  let black = 0;
  while (black < table.length && !isZero(table.subarray(black, black + 3))) black += paletteEntryBytes;
  const indices = new Uint8Array(width * height);
  if (black < table.length) indices.fill(black / paletteEntryBytes);
  await readRuns(source, layout, indices);
  const stride = strideOf(layout);
  const rows = new Uint8Array(stride * height);
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0; x < width; x++, from++) {
      const index = indices[from] ?? 0;
      if (bitsPerPixel === 8) rows[y * stride + x] = index;
      else
        rows[y * stride + (x >> 1)] = (rows[y * stride + (x >> 1)] ?? 0) | (index << (x % 2 === 0 ? 4 : 0));
    }
  return rows;
}

/** An alpha mask lies in the header, or follows the masks of colours. */
function clearAlphaMask({ masks }: BmpHeader, header: Uint8Array, table: Uint8Array): void {
  if (header.length >= ALPHA_MASK_END && header.length !== LONG_OS2_HEADER)
    header.fill(0, ALPHA_MASK_AT, ALPHA_MASK_END);
  else if (masks[3] !== 0) table.fill(0, MASK_BYTES * 3, MASK_BYTES * 4);
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

const INDEXED = [1, 2, 4, 8];
/** Depths by the header's length: that of OS/2 allows fewer. */
const depthsOf = ({ headerEnd }: BmpHeader): readonly number[] =>
  headerEnd === BMP_FILE_HEADER + SHORT_HEADER ? [1, 4, 8, 24] : [...INDEXED, 16, 24, 32];

/** @throws if not all decoders read these pixels, or the tables and the pixels overlap. */
function assertSupported(layout: BmpHeader): void {
  const { width, bitsPerPixel, compression, hasMasks, masks, headerEnd, tableBytes, pixelsAt } = layout;
  const { none, rle8, rle4 } = BMP_COMPRESSION;
  if (width <= 0 || !depthsOf(layout).includes(bitsPerPixel))
    throw new UnreadableFileError('The header of the BMP is invalid.');
  const isKnown =
    compression === none ||
    (compression === rle8 && bitsPerPixel === 8) ||
    (compression === rle4 && bitsPerPixel === 4) ||
    (hasMasks && [16, 32].includes(bitsPerPixel));
  if (!isKnown)
    throw new UnsupportedVariantError(
      `BMP with compression ${compression} of ${bitsPerPixel} bits is not supported.`,
    );
  if (hasMasks && !areMasks(masks, bitsPerPixel))
    throw new UnsupportedVariantError('BMP with empty, divided or overlapping masks is not supported.');
  if (pixelsAt < headerEnd + tableBytes)
    throw new UnsupportedVariantError('BMP whose pixels overlap its header or palette is not supported.');
}

/** Whether each colour has bits, in one piece, that no other has, within a pixel. Alpha may have none. */
function areMasks(masks: BmpMasks, bitsPerPixel: number): boolean {
  let taken = 0;
  return masks.every((mask, channel) => {
    if (mask === 0) return channel === 3;
    const most = mask >>> (31 - Math.clz32(mask & -mask));
    const isOnePiece = (most & (most + 1)) === 0;
    const isFree = (taken & mask) === 0 && mask < 2 ** bitsPerPixel;
    taken |= mask;
    return isOnePiece && isFree;
  });
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
