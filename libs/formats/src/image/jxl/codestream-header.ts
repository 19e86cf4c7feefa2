import { UnreadableFileError } from '../../errors/file-errors';
import { MAX_PROFILE_BYTES } from '../../metadata/colour-profile';
import { isOrientation, type Orientation } from '../../metadata/exif-orientation';
import { JxlBitReader, skipExtensions, skipF16, skipName, type NameBits } from './jxl-bit-reader';

/** The header at the start of a JPEG XL codestream (ISO/IEC 18181-1, annexes D and E). */
export interface CodestreamHeader {
  /** Stored pixels. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly isAnimated: boolean;
  readonly hasTimecodes: boolean;
  readonly extraChannels: number;
  /** Whether colours are stored as XYB. */
  readonly isXyb: boolean;
  /** The positions of the names of channels. */
  readonly names: readonly NameBits[];
  /** Whether a compressed profile follows. Its end is known only after decoding it. */
  readonly hasProfile: boolean;
  /** Code points of ITU-T H.273; undefined if a profile or other numbers define the colours. */
  readonly codedColour: { readonly primaries: number; readonly transfer: number } | undefined;
  /** The end of the header, in whole bytes. */
  readonly end: number;
}

/** Width as a fraction of the height, by the header's `ratio`; for 0 the header holds the width itself. */
const RATIOS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
];

// Enumerations of annex E.2.
const GREY = 1;
const XYB = 2;
const CUSTOM = 2;
const D65 = 1;
const P3 = 11;
const P3_D65 = 12;
const SRGB = { primaries: 1, transfer: 13 } as const;

// Types of extra channels that have additional fields (D.3.6).
const ALPHA = 0;
const SPOT_COLOUR = 2;
const COLOUR_FILTER = 5;

/**
 * Reads the header from the first bytes of the codestream.
 * @throws UnreadableFileError if the header is invalid, or announces a preview, which can't be removed.
 */
export function readCodestreamHeader(bytes: Uint8Array): CodestreamHeader {
  const reader = new JxlBitReader(bytes);
  if (reader.bits(16) !== 0x0aff) throw new UnreadableFileError('The file is not a JPEG XL.');
  const size = readSize(reader);
  const metadata = readMetadata(reader);
  skipTransformData(reader, metadata.isXyb);
  if (metadata.hasProfile && reader.u64() > MAX_PROFILE_BYTES)
    throw new UnreadableFileError('The colour profile of the JPEG XL is too large.');
  return { ...size, ...metadata, end: reader.align() };
}

function readSize(reader: JxlBitReader): { width: number; height: number } {
  const isSmall = reader.flag();
  const side = (): number =>
    isSmall ? 8 * (1 + reader.bits(5)) : reader.u32([1, 9], [1, 13], [1, 18], [1, 30]);
  const height = side();
  const [numerator, denominator] = RATIOS[reader.bits(3)] ?? [0, 1];
  const width = numerator === 0 ? side() : Math.floor((height * numerator) / denominator);
  return { width, height };
}

function readMetadata(reader: JxlBitReader): Omit<CodestreamHeader, 'width' | 'height' | 'end'> {
  const plain = {
    orientation: 1,
    isAnimated: false,
    hasTimecodes: false,
    extraChannels: 0,
    names: [],
  } as const;
  const isDefault = reader.flag();
  if (isDefault) return { ...plain, isXyb: true, hasProfile: false, codedColour: SRGB };
  const hasExtraFields = reader.flag();
  const extra = hasExtraFields ? readExtraFields(reader) : plain;
  skipBitDepth(reader);
  reader.flag(); // whether 16 bits are enough
  const extraChannels = reader.u32(0, 1, [2, 4], [1, 12]);
  const names = Array.from({ length: extraChannels }, () => skipExtraChannel(reader)).flat();
  const isXyb = reader.flag();
  const encoding = readColourEncoding(reader);
  if (hasExtraFields) skipToneMapping(reader);
  skipExtensions(reader);
  return { ...extra, extraChannels, names, isXyb, ...encoding };
}

function readExtraFields(
  reader: JxlBitReader,
): Pick<CodestreamHeader, 'orientation' | 'isAnimated' | 'hasTimecodes'> {
  const orientation = 1 + reader.bits(3);
  const hasIntrinsicSize = reader.flag();
  if (hasIntrinsicSize) readSize(reader);
  const hasPreview = reader.flag();
  if (hasPreview) throw new UnreadableFileError('The JPEG XL holds a preview, which cannot be removed.');
  const isAnimated = reader.flag();
  return {
    orientation: isOrientation(orientation) ? orientation : 1,
    isAnimated,
    hasTimecodes: isAnimated && readAnimation(reader),
  };
}

function readAnimation(reader: JxlBitReader): boolean {
  reader.u32(100, 1000, [1, 10], [1, 30]);
  reader.u32(1, 1001, [1, 8], [1, 10]);
  reader.u32(0, [0, 3], [0, 16], [0, 32]);
  return reader.flag();
}

function skipBitDepth(reader: JxlBitReader): void {
  const isFloat = reader.flag();
  if (isFloat) {
    reader.u32(32, 16, 24, [1, 6]);
    reader.bits(4);
  } else {
    reader.u32(8, 10, 12, [1, 6]);
  }
}

function skipExtraChannel(reader: JxlBitReader): NameBits[] {
  const isDefault = reader.flag();
  if (isDefault) return [];
  const type = reader.enumeration();
  skipBitDepth(reader);
  reader.u32(0, 3, 4, [1, 3]);
  const name = skipName(reader);
  if (type === ALPHA) reader.flag();
  if (type === SPOT_COLOUR) skipF16(reader, 4);
  if (type === COLOUR_FILTER) reader.u32(1, [0, 2], [3, 4], [19, 8]);
  return [name];
}

/** Whether a profile follows the header; otherwise, the code points of the colours. */
function readColourEncoding(reader: JxlBitReader): Pick<CodestreamHeader, 'hasProfile' | 'codedColour'> {
  const isDefault = reader.flag();
  if (isDefault) return { hasProfile: false, codedColour: SRGB };
  const hasProfile = reader.flag();
  const space = reader.enumeration();
  if (hasProfile) return { hasProfile, codedColour: undefined };
  const skipPoint = (): void => {
    for (let i = 0; i < 2; i++) reader.u32([0, 19], [524288, 19], [1048576, 20], [2097152, 21]);
  };
  const white = space === XYB ? D65 : reader.enumeration();
  if (white === CUSTOM) skipPoint();
  const primaries = space === XYB || space === GREY ? SRGB.primaries : reader.enumeration();
  if (primaries === CUSTOM) for (let i = 0; i < 3; i++) skipPoint();
  const hasGamma = space !== XYB && reader.flag();
  if (hasGamma) reader.bits(24);
  const transfer = space === XYB ? SRGB.transfer : hasGamma ? CUSTOM : reader.enumeration();
  reader.enumeration();
  const isCoded = white !== CUSTOM && primaries !== CUSTOM && !hasGamma;
  // The enumerations are those of H.273, except for P3, which has one number for both of its white points.
  const code = primaries === P3 && white === D65 ? P3_D65 : primaries;
  return { hasProfile: false, codedColour: isCoded ? { primaries: code, transfer } : undefined };
}

function skipToneMapping(reader: JxlBitReader): void {
  const isDefault = reader.flag();
  if (isDefault) return;
  skipF16(reader, 2);
  reader.flag();
  skipF16(reader, 1);
}

function skipTransformData(reader: JxlBitReader, isXyb: boolean): void {
  const isDefault = reader.flag();
  if (isDefault) return;
  const hasOpsinMatrix = isXyb && !reader.flag();
  if (hasOpsinMatrix) skipF16(reader, 16);
  const weights = reader.bits(3);
  [15, 55, 210].forEach((count, i) => {
    if ((weights >> i) & 1) skipF16(reader, count);
  });
}
