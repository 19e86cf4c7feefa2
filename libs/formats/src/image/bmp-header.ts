import { ByteView } from '../bytes/byte-view';
import { UnreadableFileError } from '../errors/file-errors';

/** Bytes in front of the header, whose first field is its own length. */
export const BMP_FILE_HEADER = 14;
const OS2_HEADER = 12;
const SHORT_OS2_HEADER = 16;
const INFO_HEADER = 40;
const HEADER_WITH_COLOUR_MASKS = 52;
export const LONG_OS2_HEADER = 64;
const V5_HEADER = 124;
/** Lengths of the headers of all versions. */
const HEADER_SIZES = [12, 16, 40, 52, 56, 64, 108, 124];
/** Bytes from the start of a file that `readBmpHeader` needs. */
export const BMP_HEADER_BYTES = BMP_FILE_HEADER + V5_HEADER;

/** Positions of fields in all headers but that of OS/2 (bytes from the header's start). */
export const FIELDS = { planes: 12, compression: 16, imageBytes: 20, usedColours: 32 } as const;
/** Length of the only header without these fields. */
export const SHORT_HEADER = OS2_HEADER;
/** Position of the alpha mask in headers that have it (bytes from the header's start), and its end. */
export const ALPHA_MASK_AT = 52;
export const ALPHA_MASK_END = 56;
/**
 * Positions in the V5 header of the colour space and the profile (bytes from the header's start), and colour spaces.
 */
export const COLOUR_SPACE_AT = 56;
export const PROFILE_AT = 112;
const PROFILE_LINKED = 0x4c494e4b;
const PROFILE_EMBEDDED = 0x4d424544;

/** Numbers of `biCompression`. Number 3 means a Huffman code in the long header of OS/2. */
export const BMP_COMPRESSION = { none: 0, rle8: 1, rle4: 2, masks: 3, alphaMasks: 6 } as const;

/** Bits of red, green, blue and alpha in a pixel; 0 for none. */
export type BmpMasks = readonly [red: number, green: number, blue: number, alpha: number];
const MASKS_OF_16: BmpMasks = [0x7c00, 0x03e0, 0x001f, 0];
const MASKS_OF_32: BmpMasks = [0xff0000, 0xff00, 0xff, 0];

/** The header of a BMP, in any of its versions. Offsets are bytes from the start of the file. */
export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  /** Whether the first row of the file is the top one. */
  readonly isTopDown: boolean;
  readonly bitsPerPixel: number;
  readonly compression: number;
  /** Whether the file gives `masks`; otherwise they are the default ones. */
  readonly hasMasks: boolean;
  readonly masks: BmpMasks;
  /** Whether the header has an alpha mask, although its compression makes all masks meaningless. */
  readonly hasIdleAlphaMask: boolean;
  readonly headerEnd: number;
  /** Bytes of the masks and the palette that follow the header. */
  readonly tableBytes: number;
  /** Colours of the palette; 0 if there is none. */
  readonly colours: number;
  /** Bytes of one colour of the palette: blue, green, red, and perhaps an unused byte. */
  readonly paletteEntryBytes: 3 | 4;
  readonly pixelsAt: number;
  /** Null for headers before version 5. `kind` is null if no profile defines the colour space. */
  readonly profile: {
    readonly kind: 'embedded' | 'linked' | null;
    readonly at: number;
    readonly length: number;
  } | null;
}

/**
 * Reads the header of a BMP from the first bytes of the file (`BMP_HEADER_BYTES`, or all of a shorter file).
 * @throws UnreadableFileError if they end too early, or the header is of no known length or has no place for its masks.
 */
export function readBmpHeader(bytes: Uint8Array): BmpHeader {
  const view = new ByteView(bytes);
  const headerSize = view.u32le(BMP_FILE_HEADER);
  if (!HEADER_SIZES.includes(headerSize))
    throw new UnreadableFileError('The header of the BMP has an unknown length.');
  const place = {
    headerEnd: BMP_FILE_HEADER + headerSize,
    pixelsAt: view.u32le(10),
    profile: headerSize === V5_HEADER ? readProfile(view.slice(BMP_FILE_HEADER)) : null,
  };
  if (headerSize === OS2_HEADER) {
    const bitsPerPixel = view.u16le(24);
    return {
      ...place,
      width: view.u16le(18),
      height: view.u16le(20),
      isTopDown: false,
      bitsPerPixel,
      compression: BMP_COMPRESSION.none,
      hasMasks: false,
      masks: masksWithoutTable(bitsPerPixel),
      hasIdleAlphaMask: false,
      tableBytes: bitsPerPixel <= 8 ? 3 << bitsPerPixel : 0,
      colours: bitsPerPixel <= 8 ? 1 << bitsPerPixel : 0,
      paletteEntryBytes: 3,
    };
  }
  const rows = view.i32le(22);
  const bitsPerPixel = view.u16le(28);
  const isShort = headerSize === SHORT_OS2_HEADER;
  const compression = isShort ? BMP_COMPRESSION.none : view.u32le(30);
  const usedColours = isShort ? 0 : view.u32le(46);
  const colours = bitsPerPixel <= 8 ? Math.min(usedColours || 256, 1 << bitsPerPixel) : 0;
  if (compression === BMP_COMPRESSION.alphaMasks && headerSize === HEADER_WITH_COLOUR_MASKS)
    throw new UnreadableFileError('The header of the BMP has no room for its alpha mask.');
  const namesMasks = compression === BMP_COMPRESSION.masks || compression === BMP_COMPRESSION.alphaMasks;
  const hasMasks = namesMasks && bitsPerPixel >= 16 && headerSize !== LONG_OS2_HEADER;
  const hasAlphaMask = headerSize >= ALPHA_MASK_END && headerSize !== LONG_OS2_HEADER;
  const maskCount = compression === BMP_COMPRESSION.alphaMasks || hasAlphaMask ? 4 : 3;
  return {
    ...place,
    width: view.i32le(18),
    height: Math.abs(rows),
    isTopDown: rows < 0,
    bitsPerPixel,
    compression,
    hasMasks,
    masks: hasMasks ? readMasks(view, maskCount) : masksWithoutTable(bitsPerPixel),
    hasIdleAlphaMask: hasAlphaMask && !namesMasks && view.u32le(BMP_FILE_HEADER + ALPHA_MASK_AT) !== 0,
    tableBytes: (namesMasks && headerSize <= INFO_HEADER ? maskCount * 4 : 0) + colours * 4,
    colours,
    paletteEntryBytes: 4,
  };
}

/** Bytes of a row, which is padded to four. */
export const strideOf = ({ width, bitsPerPixel }: Pick<BmpHeader, 'width' | 'bitsPerPixel'>): number =>
  Math.ceil((width * bitsPerPixel) / 32) * 4;

const masksWithoutTable = (bitsPerPixel: number): BmpMasks =>
  bitsPerPixel === 16 ? MASKS_OF_16 : MASKS_OF_32;

/**
 * Masks lie in the header, or follow the shortest header that can have any. Both are the same position in the file.
 */
function readMasks(view: ByteView, count: 3 | 4): BmpMasks {
  const mask = (index: number): number => view.u32le(BMP_FILE_HEADER + INFO_HEADER + 4 * index);
  return [mask(0), mask(1), mask(2), count === 4 ? mask(3) : 0];
}

function readProfile(header: ByteView): BmpHeader['profile'] {
  const space = header.u32le(COLOUR_SPACE_AT);
  return {
    kind: space === PROFILE_EMBEDDED ? 'embedded' : space === PROFILE_LINKED ? 'linked' : null,
    at: BMP_FILE_HEADER + header.u32le(PROFILE_AT),
    length: header.u32le(PROFILE_AT + 4),
  };
}
