import { crc32 } from 'node:zlib';
import { failureReason, UnprocessableFileError } from '../../failures/failures';

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export interface PngChunk {
  readonly type: string;
  readonly body: Buffer;
  /** The whole chunk: length, type, content and checksum. */
  readonly whole: Buffer;
}

/** The chunks of a PNG, including `IEND`. Throws `UnprocessableFileError` if the file ends before that. */
export function* pngChunks(file: Buffer): Generator<PngChunk> {
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= file.length) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) throw new UnprocessableFileError(failureReason.image, 'A PNG that ends early');
    const type = file.toString('latin1', at + 4, at + 8);
    yield { type, body: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) };
    if (type === 'IEND') return;
    at = end;
  }
  throw new UnprocessableFileError(failureReason.image, 'A PNG without an end');
}

/** A chunk with its length and checksum. */
export function pngChunk(type: string, body: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
  bytes.writeUInt32BE(body.length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}
