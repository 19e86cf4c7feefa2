import { UnreadableFileError } from '../errors/file-errors';
import type { ByteSource } from './byte-source';

/** Headers and tables are small. A length field that asks for more than this is wrong. */
const MAX_TABLE_BYTES = 16 * 1024 * 1024;

/**
 * Exactly `length` bytes at `offset`.
 * @throws UnreadableFileError if the file is shorter, or `length` exceeds `MAX_TABLE_BYTES`.
 */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  if (length > MAX_TABLE_BYTES) throw new UnreadableFileError('A table is too large.');
  if (offset < 0 || length < 0 || offset + length > source.size) {
    throw new UnreadableFileError('The file ends too early.');
  }
  const bytes = await source.read(offset, length);
  if (bytes.length !== length) throw new UnreadableFileError('The file ends too early.');
  // Sources may return Buffers, whose `slice` doesn't copy. Parsers always get a plain array.
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Like `readExactly`, but reads into `buffer` if the source supports that and the bytes fit. The result is then a
 * view of `buffer`, which the next such read overwrites.
 */
export async function readExactlyInto(
  buffer: Uint8Array,
  source: ByteSource,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  if (!source.readInto || length > buffer.length) return readExactly(source, offset, length);
  if (offset < 0 || offset + length > source.size) throw new UnreadableFileError('The file ends too early.');
  const view = buffer.subarray(0, length);
  if ((await source.readInto(view, offset)) !== length)
    throw new UnreadableFileError('The file ends too early.');
  return view;
}
