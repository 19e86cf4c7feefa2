import { BitReader } from '../../bytes/bit-reader';
import type { ByteSource } from '../../bytes/byte-source';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../errors/file-errors';
import type { Range } from './byte-map';
import type { CodedColour } from './heif-picture';

const SEQUENCE_HEADER = 1;
/** A sequence header has some twenty bytes, and comes first. */
const MAX_BYTES = 256;
const UNSPECIFIED = 2;
const SRGB_WITHOUT_MATRIX = { primaries: 1, transfer: 13, matrix: 0 } as const;

/**
 * The colours that an AV1 picture itself declares (AV1 5.5.2), which programs use if its file has no `colr` box.
 * Undefined if it has no sequence header at its start.
 */
export async function readAv1Colour(
  source: ByteSource,
  tile: readonly Range[],
): Promise<CodedColour | undefined> {
  const [extent] = tile;
  if (!extent) return undefined;
  try {
    const start = await readExactly(source, extent.from, Math.min(MAX_BYTES, extent.to - extent.from));
    const header = findSequenceHeader(start);
    return header && readSequenceHeader(new BitReader(header));
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}

/** The content of the first unit of that type (AV1 5.3). */
function findSequenceHeader(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new BitReader(bytes);
  while (reader.position < bytes.length * 8) {
    reader.skip(1);
    const type = reader.bits(4);
    const [hasExtension, hasSize] = [reader.flag(), reader.flag()];
    reader.skip(hasExtension ? 9 : 1);
    const size = hasSize ? readLeb128(reader) : bytes.length;
    const from = reader.align();
    if (type === SEQUENCE_HEADER) return bytes.subarray(from, from + size);
    reader.skip(size * 8);
  }
  return undefined;
}

function readLeb128(reader: BitReader): number {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const goesOn = reader.flag();
    value += reader.bits(7) * 128 ** index;
    if (!goesOn) break;
  }
  return value;
}

/** AV1 5.5.1: the fields before the colours, of which most only have a length here. */
function readSequenceHeader(reader: BitReader): CodedColour {
  const profile = reader.bits(3);
  reader.skip(1);
  const isReduced = reader.flag();
  if (isReduced) reader.skip(5);
  else skipOperatingPoints(reader);
  const [widthBits, heightBits] = [reader.bits(4) + 1, reader.bits(4) + 1];
  reader.skip(widthBits + heightBits);
  if (!isReduced && reader.flag()) reader.skip(7);
  reader.skip(3);
  if (!isReduced) skipInterTools(reader);
  reader.skip(3);
  return readColourConfig(reader, profile);
}

function skipOperatingPoints(reader: BitReader): void {
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
  for (let left = reader.bits(5) + 1; left > 0; left--) {
    reader.skip(12);
    if (reader.bits(5) > 7) reader.skip(1);
    if (delayBits > 0 && reader.flag()) reader.skip(2 * delayBits + 1);
    if (hasDisplayDelay && reader.flag()) reader.skip(4);
  }
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

/** AV1 5.5.2. */
function readColourConfig(reader: BitReader, profile: number): CodedColour {
  const isDeep = reader.flag();
  if (profile === 2 && isDeep) reader.skip(1);
  const isGrey = profile !== 1 && reader.flag();
  const [primaries, transfer, matrix] = reader.flag()
    ? [reader.bits(8), reader.bits(8), reader.bits(8)]
    : [UNSPECIFIED, UNSPECIFIED, UNSPECIFIED];
  const isAlwaysFull =
    !isGrey &&
    primaries === SRGB_WITHOUT_MATRIX.primaries &&
    transfer === SRGB_WITHOUT_MATRIX.transfer &&
    matrix === SRGB_WITHOUT_MATRIX.matrix;
  return { primaries, transfer, matrix, isFullRange: isAlwaysFull || reader.flag() };
}
