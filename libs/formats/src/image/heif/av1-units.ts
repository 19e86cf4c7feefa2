import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { leb128 } from '../../bytes/numbers';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../errors/file-errors';
import type { Range } from './byte-map';

/** Types of units (AV1 6.2.2). */
export const UNIT = {
  sequenceHeader: 1,
  temporalDelimiter: 2,
  frameHeader: 3,
  tileGroup: 4,
  metadata: 5,
  frame: 6,
  padding: 15,
} as const;

/** Bytes of the header of a unit, and of its size, at most. */
const MAX_HEADER = 2 + 8;
/** A sequence header has some twenty bytes. */
const MAX_CONTENT = 256;
/** Limit of the units of a picture; encoders write a handful. */
const MAX_UNITS = 256;

/** A unit of an AV1 picture (AV1 5.3). */
export interface Av1Unit {
  readonly type: number;
  readonly spatialLayer: number;
  /** Its header and its content, 256 bytes of it at most. */
  readonly bytes: Uint8Array;
  /** Bytes of its header. */
  readonly headerBytes: number;
}

/**
 * The units of a picture whose bytes lie in `extents` of the file.
 * @throws UnreadableFileError if one is truncated, or there are too many.
 */
export async function readAv1Units(source: ByteSource, extents: readonly Range[]): Promise<Av1Unit[]> {
  const units: Av1Unit[] = [];
  for await (const unit of av1Units(source, extents)) units.push(unit);
  return units;
}

/** The first unit of a type; undefined if there is none. */
export async function firstAv1Unit(
  source: ByteSource,
  extents: readonly Range[],
  type: number,
): Promise<Av1Unit | undefined> {
  for await (const unit of av1Units(source, extents)) if (unit.type === type) return unit;
  return undefined;
}

async function* av1Units(source: ByteSource, extents: readonly Range[]): AsyncGenerator<Av1Unit> {
  const size = extents.reduce((sum, { from, to }) => sum + to - from, 0);
  let left = MAX_UNITS;
  for (let at = 0; at < size;) {
    if (left-- === 0) throw new UnreadableFileError('The picture has too many parts.');
    const bytes = await readPart(source, extents, at, Math.min(size - at, MAX_HEADER + MAX_CONTENT));
    const cursor = new Cursor(bytes);
    const head = cursor.u8();
    const extension = head & 4 ? cursor.u8() : 0;
    const own = head & 2 ? leb128(bytes, cursor.position) : null;
    const headerBytes = own?.end ?? cursor.position;
    const length = own?.value ?? size - at - headerBytes;
    if (head & 0x80 || headerBytes + length > size - at)
      throw new UnreadableFileError('A part of the picture ends too early.');
    yield {
      type: (head >> 3) & 15,
      spatialLayer: (extension >> 3) & 3,
      bytes: bytes.subarray(0, headerBytes + length),
      headerBytes,
    };
    at += headerBytes + length;
  }
}

/** `length` bytes from `at` of the concatenated extents on, which are seldom more than one. */
async function readPart(
  source: ByteSource,
  extents: readonly Range[],
  at: number,
  length: number,
): Promise<Uint8Array> {
  const part = new Uint8Array(length);
  let [skipped, filled] = [at, 0];
  for (const { from, to } of extents) {
    const taken = Math.min(Math.max(0, to - from - skipped), length - filled);
    if (taken > 0) part.set(await readExactly(source, from + skipped, taken), filled);
    filled += taken;
    skipped = Math.max(0, skipped - (to - from));
    if (filled === length) break;
  }
  return part;
}
