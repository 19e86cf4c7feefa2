import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { ByteView } from '../bytes/byte-view';
import type { Cursor } from '../bytes/cursor';
import { u32 } from '../bytes/numbers';
import { readExactly } from '../bytes/read';
import { ascii, asciiBytes } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';

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
  /** More adjacent boxes than this are an `UnreadableFileError`; 20,000 by default. */
  readonly limit?: number;
  /** If the last box claims to be longer than its parent, it ends with its parent, instead of an error. */
  readonly clampLast?: boolean;
  /** The walk ends at an invalid header, as in decoders, instead of an error. */
  readonly garbageAtEnd?: boolean;
}

const DEFAULT_LIMIT = 20_000;
const LARGE_HEADER = 32;

/**
 * The boxes that follow each other between `from` and `to` (bytes of the file): 32-bit and 64-bit sizes, size 0 (to
 * the end), `uuid`. Reads headers only. Fewer than 8 bytes at the end are no box.
 * @throws UnreadableFileError if sizes contradict each other or there are too many boxes.
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

/** `readBoxes` for the content of a box in memory; positions count from the start of `bytes`. */
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
 * Reads one header from its first bytes (32 suffice). `start` is where the box begins in the file, and `parentEnd` where its
 * parent ends; with `clamp` a box that is longer than its parent ends there too.
 */
export function parseBoxHeader(header: Uint8Array, start: number, parentEnd: number, clamp: boolean): Box {
  const view = new ByteView(header);
  const type = view.ascii(4, 4);
  const sizes = boxSizes(view, 0, parentEnd - start);
  const uuid =
    type === 'uuid' && sizes ? Buffer.from(view.take(sizes.header, 16)).toString('hex') : undefined;
  const body = start + (sizes?.header ?? 0) + (uuid === undefined ? 0 : 16);
  let end = start + (sizes?.size ?? 0);
  if (end > parentEnd && clamp && Number.isSafeInteger(sizes?.size)) end = parentEnd;
  if (!sizes || end < body || end > parentEnd)
    throw new UnreadableFileError(`The size of box ${type} is invalid.`);
  return { type, start, body, end, ...(uuid === undefined ? {} : { uuid }) };
}

/**
 * Bytes of a box, and of its header without a `uuid`'s name, by its first bytes; null if they are no box. `left`: bytes from
 * `at` to the end of its parent, which size 0 stands for.
 */
export function boxSizes(view: ByteView, at: number, left: number): { size: number; header: number } | null {
  if (left < 8) return null;
  const size = view.u32(at);
  if (size === 0) return { size: left, header: 8 };
  if (size !== 1) return size >= 8 ? { size, header: 8 } : null;
  if (left < 16) return null;
  const large = view.u64(at + 8);
  return large >= 16 ? { size: large, header: 16 } : null;
}

/** The content of a box in memory. @throws UnreadableFileError beyond 16 MiB. */
export function readBody(source: ByteSource, box: Box): Promise<Uint8Array> {
  return readExactly(source, box.body, box.end - box.body);
}

/** The version and the 24 flag bits with which a full box starts. */
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

/** Limit of the brands that are read; files have a dozen at most. */
const MAX_BRANDS = 256;

/** The brands of an `ftyp` box's content: the major one first, and no more than 256. */
export function parseBrands(body: Uint8Array): string[] {
  const brands = [ascii(body, 0, 4)];
  for (let at = 8; at + 4 <= body.length && brands.length < MAX_BRANDS; at += 4)
    brands.push(ascii(body, at, 4));
  return brands;
}
