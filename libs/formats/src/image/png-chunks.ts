import { crc32 } from 'node:zlib';
import { concatBytes } from '../bytes/arrays';
import { Cursor } from '../bytes/cursor';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import type { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';

export const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
export const CHUNK_OVERHEAD = 12;
const CHECKED_AT_ONCE = 64 * 1024;

/** Positions in the file: the start of the chunk, the start of its data, and the end of its CRC. */
export interface Chunk {
  readonly type: string;
  readonly start: number;
  readonly data: number;
  readonly end: number;
}

/** Moves past the next chunk. @throws UnreadableFileError if the file ends too early. */
export async function nextChunk(reader: WindowReader): Promise<Chunk> {
  const start = reader.position;
  if (!reader.has(8)) await reader.ensure(8);
  const cursor = new Cursor(reader.take(8));
  const length = cursor.u32();
  const type = cursor.ascii(4);
  if (!/^[A-Za-z]{4}$/.test(type)) throw new UnreadableFileError('A chunk of the PNG has no name.');
  const end = start + CHUNK_OVERHEAD + length;
  if (end > reader.position + reader.remaining) throw new UnreadableFileError('The PNG ends too early.');
  reader.position = end;
  return { type, start, data: start + 8, end };
}

/** The data of a chunk that fits into the reader's window; undefined if its CRC is wrong. */
export async function readChunk(
  reader: WindowReader,
  { start, end }: Chunk,
): Promise<Uint8Array | undefined> {
  reader.position = start;
  if (!reader.has(end - start)) await reader.ensure(end - start);
  return dataOf(reader.take(end - start))?.slice();
}

/** Whether the CRC of a chunk of any length is right. Moves to its end. */
export async function hasTrueChecksum(reader: WindowReader, { start, end }: Chunk): Promise<boolean> {
  reader.position = start + 4;
  let sum = 0;
  while (reader.position < end - 4) {
    const length = Math.min(CHECKED_AT_ONCE, end - 4 - reader.position);
    if (!reader.has(length)) await reader.ensure(length);
    sum = crc32(reader.take(length), sum);
  }
  if (!reader.has(4)) await reader.ensure(4);
  return new Cursor(reader.take(4)).u32() === sum;
}

/** The data of a whole chunk, sharing its memory; undefined if its CRC is wrong. */
export function dataOf(chunk: Uint8Array): Uint8Array | undefined {
  const stored = new Cursor(chunk, chunk.length - 4).u32();
  return crc32(chunk.subarray(4, -4)) === stored ? chunk.subarray(8, -4) : undefined;
}

/** A chunk with its length and CRC. */
export function writeChunk(type: string, data: Uint8Array): Uint8Array {
  const content = concatBytes([asciiBytes(type), data]);
  return concatBytes([u32(data.length), content, u32(crc32(content))]);
}
