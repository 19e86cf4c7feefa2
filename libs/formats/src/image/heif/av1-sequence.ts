import { BitReader } from '../../bytes/bit-reader';
import type { Size } from '../../facts/displayed-size';
import type { CodedColour } from './heif-picture';

const UNSPECIFIED = 2;
const SRGB_WITHOUT_MATRIX = { primaries: 1, transfer: 13, matrix: 0 } as const;

/** What the sequence header of an AV1 picture declares (AV1 5.5). */
export interface Av1Sequence extends Size {
  readonly colour: CodedColour;
  readonly isGrey: boolean;
  /** Bits of each value: 8, 10 or 12. */
  readonly depth: number;
  /** Whether colours have half of the columns, and half of the rows. */
  readonly halves: { readonly columns: boolean; readonly rows: boolean };
  readonly operatingPoints: number;
  /** The first three bytes of an `av1C` box that describes this header, with 0 for the position of subsampled colours (AV1-ISOBMFF 2.3.3). */
  readonly configuration: readonly [number, number, number];
}

/** Marker and version of `av1C`. */
const CONFIGURATION_VERSION = 0x81;

/** Reads the content of a sequence header. @throws UnreadableFileError if it is truncated. */
export function readAv1Sequence(content: Uint8Array): Av1Sequence {
  const reader = new BitReader(content);
  const profile = reader.bits(3);
  reader.skip(1);
  const isReduced = reader.flag();
  const { points, level, tier } = isReduced
    ? { points: 1, level: reader.bits(5), tier: 0 }
    : readOperatingPoints(reader);
  const [widthBits, heightBits] = [reader.bits(4) + 1, reader.bits(4) + 1];
  const [width, height] = [reader.bits(widthBits) + 1, reader.bits(heightBits) + 1];
  if (!isReduced && reader.flag()) reader.skip(7);
  reader.skip(3);
  if (!isReduced) skipInterTools(reader);
  reader.skip(3);
  const { kind, ...colours } = readColours(reader, profile);
  return {
    ...{ width, height, operatingPoints: points, ...colours },
    configuration: [CONFIGURATION_VERSION, (profile << 5) | level, (tier << 7) | kind],
  };
}

function readOperatingPoints(reader: BitReader): { points: number; level: number; tier: number } {
  let delayBits = 0;
  if (reader.flag()) {
    reader.skip(64);
    if (reader.flag()) reader.ue();
    if (reader.flag()) {
      delayBits = reader.bits(5) + 1;
      reader.skip(42);
    }
  }
  const hasDisplayDelay = reader.flag();
  const points = reader.bits(5) + 1;
  let [firstLevel, firstTier] = [0, 0];
  for (let point = 0; point < points; point++) {
    reader.skip(12);
    const level = reader.bits(5);
    const tier = level > 7 ? reader.bits(1) : 0;
    if (point === 0) [firstLevel, firstTier] = [level, tier];
    if (delayBits > 0 && reader.flag()) reader.skip(2 * delayBits + 1);
    if (hasDisplayDelay && reader.flag()) reader.skip(4);
  }
  return { points, level: firstLevel, tier: firstTier };
}

function skipInterTools(reader: BitReader): void {
  reader.skip(4);
  const hasOrderHint = reader.flag();
  if (hasOrderHint) reader.skip(2);
  const maySwitchContentTools = reader.flag();
  const usesContentTools = maySwitchContentTools || reader.flag();
  if (usesContentTools && !reader.flag()) reader.skip(1);
  if (hasOrderHint) reader.skip(3);
}

/** AV1 5.5.2. `kind`: the third byte of `av1C` without the tier. */
function readColours(
  reader: BitReader,
  profile: number,
): Pick<Av1Sequence, 'colour' | 'isGrey' | 'depth' | 'halves'> & { readonly kind: number } {
  const isDeep = reader.flag();
  const isDeepest = profile === 2 && isDeep && reader.flag();
  const isGrey = profile !== 1 && reader.flag();
  const [primaries, transfer, matrix] = reader.flag()
    ? [reader.bits(8), reader.bits(8), reader.bits(8)]
    : [UNSPECIFIED, UNSPECIFIED, UNSPECIFIED];
  const isAlwaysFull =
    !isGrey &&
    primaries === SRGB_WITHOUT_MATRIX.primaries &&
    transfer === SRGB_WITHOUT_MATRIX.transfer &&
    matrix === SRGB_WITHOUT_MATRIX.matrix;
  const colour = { primaries, transfer, matrix, isFullRange: isAlwaysFull || reader.flag() };
  const halves = readHalves(reader, { profile, isGrey, isDeepest, isAlwaysFull });
  const kind =
    (isDeep ? 0x40 : 0) |
    (isDeepest ? 0x20 : 0) |
    (isGrey ? 0x10 : 0) |
    (halves.columns ? 8 : 0) |
    (halves.rows ? 4 : 0);
  return { colour, isGrey, depth: isDeepest ? 12 : isDeep ? 10 : 8, halves, kind };
}

function readHalves(
  reader: BitReader,
  is: { readonly profile: number; isGrey: boolean; isDeepest: boolean; isAlwaysFull: boolean },
): Av1Sequence['halves'] {
  if (is.isGrey || (is.profile === 0 && !is.isAlwaysFull)) return { columns: true, rows: true };
  if (is.isAlwaysFull || is.profile === 1) return { columns: false, rows: false };
  if (!is.isDeepest) return { columns: true, rows: false };
  const columns = reader.flag();
  return { columns, rows: columns && reader.flag() };
}
