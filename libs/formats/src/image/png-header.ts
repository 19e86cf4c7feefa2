import { crc32 } from 'node:zlib';
import { Cursor } from '../bytes/cursor';
import type { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import { CHUNK_OVERHEAD, SIGNATURE_BYTES } from './png-chunks';

const IHDR_BYTES = 13;
/** Position in the file of the first chunk after the header. */
export const HEADER_END = SIGNATURE_BYTES + CHUNK_OVERHEAD + IHDR_BYTES;
const MAX_EDGE = 0x7fffffff;

/** Samples of a pixel and allowed depths of each colour type (W3C PNG, third edition, 11.2.1). */
const TYPES: ReadonlyMap<number, { readonly channels: number; readonly depths: readonly number[] }> = new Map(
  [
    [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
    [2, { channels: 3, depths: [8, 16] }],
    [3, { channels: 1, depths: [1, 2, 4, 8] }],
    [4, { channels: 2, depths: [8, 16] }],
    [6, { channels: 4, depths: [8, 16] }],
  ],
);

export const PALETTE = 3;
const GREY_TYPES: readonly number[] = [0, 4];
/** The first chunk of the PNGs in iOS apps, whose colours are in another order and multiplied by alpha. */
const APPLE = 'CgBI';

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  readonly type: number;
  readonly channels: number;
  readonly isInterlaced: boolean;
  readonly isGrey: boolean;
}

/** Reads the header after the signature. @throws UnreadableFileError if it is not valid. */
export async function readHeader(reader: WindowReader): Promise<PngHeader> {
  await reader.ensure(CHUNK_OVERHEAD + IHDR_BYTES);
  const bytes = reader.take(CHUNK_OVERHEAD + IHDR_BYTES);
  const cursor = new Cursor(bytes);
  const [length, name] = [cursor.u32(), cursor.ascii(4)];
  if (name === APPLE) throw new UnsupportedVariantError('PNG in the form of iOS apps is not supported.');
  if (length !== IHDR_BYTES || name !== 'IHDR') throw new UnreadableFileError('The PNG has no header.');
  const size = { width: cursor.u32(), height: cursor.u32() };
  const [depth, type] = [cursor.u8(), cursor.u8()];
  const [compression, filtering, interlacing] = [cursor.u8(), cursor.u8(), cursor.u8()];
  if (crc32(bytes.subarray(4, -4)) !== cursor.u32())
    throw new UnreadableFileError('The header of the PNG is damaged.');
  const { channels = 0, depths = [] } = TYPES.get(type) ?? {};
  const isValid = depths.includes(depth) && compression === 0 && filtering === 0 && interlacing <= 1;
  if (!isValid || Math.max(size.width, size.height) > MAX_EDGE)
    throw new UnreadableFileError('The header of the PNG is not valid.');
  return {
    ...{ ...size, depth, type, channels },
    ...{ isInterlaced: interlacing === 1, isGrey: GREY_TYPES.includes(type) },
  };
}
