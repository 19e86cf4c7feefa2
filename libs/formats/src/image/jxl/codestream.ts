import { UnreadableFileError } from '../../media-format';
import { isOrientation, type Orientation } from '../exif-orientation';
import { BitReader } from './bit-reader';

/** What the start of a JPEG XL codestream says of the picture (ISO/IEC 18181-1, annex D). */
export interface CodestreamHeader {
  /** Stored pixels. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** A small picture of the picture comes before the first frame. */
  readonly hasPreview: boolean;
}

/** Width as a fraction of the height, by the header's `ratio`; 0 says it is written out. */
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

/** Reads the header off the codestream's first bytes. @throws UnreadableFileError where it is none. */
export function readCodestreamHeader(bytes: Uint8Array): CodestreamHeader {
  const reader = new BitReader(bytes);
  if (reader.bits(16) !== 0x0aff) throw new UnreadableFileError('This is no JPEG XL.');
  const size = readSize(reader);
  const allDefault = reader.bool();
  const hasExtraFields = !allDefault && reader.bool();
  if (!hasExtraFields) return { ...size, orientation: 1, hasPreview: false };
  const orientation = 1 + reader.bits(3);
  const hasIntrinsicSize = reader.bool();
  if (hasIntrinsicSize) readSize(reader);
  const hasPreview = reader.bool();
  return { ...size, orientation: isOrientation(orientation) ? orientation : 1, hasPreview };
}

function readSize(reader: BitReader): { width: number; height: number } {
  const isSmall = reader.bool();
  const side = (): number =>
    isSmall ? 8 * (1 + reader.bits(5)) : reader.u32([1, 9], [1, 13], [1, 18], [1, 30]);
  const height = side();
  const [numerator, denominator] = RATIOS[reader.bits(3)] ?? [0, 1];
  const width = numerator === 0 ? side() : Math.floor((height * numerator) / denominator);
  return { width, height };
}
