import type { ByteSource } from '../byte-source';
import { ascii, asciiBytes, concatBytes, Cursor } from '../bytes/cursor';
import { readExactly } from '../bytes/read';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../media-format';

/** One box of an ISO base media file (ISO/IEC 14496-12); positions are bytes from the start of the file. */
export interface Box {
  /** Four characters (Latin-1), e.g. `moov`. */
  readonly type: string;
  /** The 16 bytes after the header of a `uuid` box, in lowercase hexadecimal. */
  readonly uuid?: string;
  /** Where the header starts. */
  readonly start: number;
  /** Where the content starts, after the header and a `uuid`'s name. */
  readonly body: number;
  /** Where the box ends (exclusive). */
  readonly end: number;
}

export interface WalkOptions {
  /** More boxes side by side than this is an `UnreadableFileError`; 20,000 unless told. */
  readonly limit?: number;
  /** A last box that says it is longer than its parent ends where the parent does, instead of an error. */
  readonly clampLast?: boolean;
  /** The walk ends where a header makes no sense, as decoders end it, instead of an error. */
  readonly garbageAtEnd?: boolean;
}

const DEFAULT_LIMIT = 20_000;
const LARGE_HEADER = 32;

/**
 * The boxes that lie side by side between `from` and `to` (bytes of the file): 32-bit and 64-bit sizes,
 * size 0 (to the end), `uuid`. Reads headers only. Fewer than 8 bytes at the end belong to no box.
 * @throws UnreadableFileError where sizes contradict each other or there are too many boxes.
 */
export async function readBoxes(
  source: ByteSource,
  from = 0,
  to = source.size,
  options: WalkOptions = {},
): Promise<Box[]> {
  const boxes: Box[] = [];
  const reader = new WindowReader(source);
  let at = from;
  while (to - at >= 8) {
    if (boxes.length >= (options.limit ?? DEFAULT_LIMIT))
      throw new UnreadableFileError('There are too many boxes.');
    const length = Math.min(LARGE_HEADER, to - at);
    reader.position = at;
    if (!reader.has(length)) await reader.ensure(length);
    const box = tryHeader(reader.take(length), at, to, options);
    if (!box) break;
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** `readBoxes` for a box's content that lies in memory; positions count from the start of `bytes`. */
export function parseBoxes(bytes: Uint8Array, from = 0, to = bytes.length, options: WalkOptions = {}): Box[] {
  const boxes: Box[] = [];
  let at = from;
  while (to - at >= 8) {
    if (boxes.length >= (options.limit ?? DEFAULT_LIMIT))
      throw new UnreadableFileError('There are too many boxes.');
    const box = parseBoxHeader(
      bytes.subarray(at, Math.min(at + LARGE_HEADER, to)),
      at,
      to,
      options.clampLast ?? false,
    );
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

function tryHeader(header: Uint8Array, at: number, to: number, options: WalkOptions): Box | undefined {
  try {
    return parseBoxHeader(header, at, to, options.clampLast ?? false);
  } catch (error) {
    if (options.garbageAtEnd && error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}

/**
 * Reads one header off its first bytes (32 suffice); `start` is where the box lies in the file, `parentEnd` where
 * what it lies in ends, and with `clamp` the box too.
 */
export function parseBoxHeader(header: Uint8Array, start: number, parentEnd: number, clamp: boolean): Box {
  const cursor = new Cursor(header);
  let size = cursor.u32();
  const type = cursor.ascii(4);
  if (size === 1) size = cursor.u64();
  else if (size === 0) size = parentEnd - start;
  const uuid = type === 'uuid' ? Buffer.from(cursor.take(16)).toString('hex') : undefined;
  let end = start + size;
  const body = start + cursor.position;
  if (end > parentEnd && clamp) end = parentEnd;
  if (end < body || end > parentEnd) throw new UnreadableFileError(`The size of box ${type} makes no sense.`);
  return { type, start, body, end, ...(uuid === undefined ? {} : { uuid }) };
}

/** A box's content in memory. @throws UnreadableFileError beyond 16 MiB. */
export function readBody(source: ByteSource, box: Box): Promise<Uint8Array> {
  return readExactly(source, box.body, box.end - box.body);
}

/** The version and the 24 flag bits that a full box starts with. */
export function readVersion(cursor: Cursor): { version: number; flags: number } {
  return { version: cursor.u8(), flags: cursor.u24() };
}

/** Serialises a box with a 32-bit size. */
export function writeBox(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const body = concatBytes(content);
  return concatBytes([u32(body.length + 8), asciiBytes(type), body]);
}

/** Serialises a full box: version, flags, content. */
export function writeFullBox(
  type: string,
  version: number,
  flags: number,
  ...content: Uint8Array[]
): Uint8Array {
  return writeBox(type, u32(((version << 24) | flags) >>> 0), ...content);
}

export function u16(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setUint16(i * 2, value));
  return bytes;
}

export function u32(...values: readonly number[]): Uint8Array {
  return u32List(values);
}

/** `u32` for lists of any length: a call takes only so many arguments. */
export function u32List(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setUint32(i * 4, value));
  return bytes;
}

/** Most brands that are read; files have a dozen at most. */
const MAX_BRANDS = 256;

/** The brands of an `ftyp` box's content: the major one first, and no more than 256. */
export function parseBrands(body: Uint8Array): string[] {
  const brands = [ascii(body, 0, 4)];
  for (let at = 8; at + 4 <= body.length && brands.length < MAX_BRANDS; at += 4)
    brands.push(ascii(body, at, 4));
  return brands;
}
