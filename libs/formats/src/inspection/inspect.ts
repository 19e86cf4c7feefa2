import type { ByteSource } from '../bytes/byte-source';
import { UnreadableFileError, UnsupportedFormatError } from '../errors/file-errors';
import type { Inspection } from '../facts/inspection';
import { LATE_SNIFF_BYTES, sniff, SNIFF_BYTES } from '../sniffing/sniff';
import { inspectors } from './inspectors';

/**
 * Determines the type of a file by its content, and reads its facts and how to serve it without its metadata. Decodes
 * no picture.
 * @throws UnsupportedFormatError if it is of none of the accepted types.
 * @throws UnreadableFileError if it is empty, or claims to be of an accepted type and can't be read as that.
 */
export async function inspect(source: ByteSource): Promise<Inspection> {
  if (source.size === 0) throw new UnreadableFileError('The file is empty.');
  const format = sniff(await source.read(0, SNIFF_BYTES)) ?? sniff(await source.read(0, LATE_SNIFF_BYTES));
  if (!format) throw new UnsupportedFormatError('The type of the file is not accepted.');
  return inspectors[format](source);
}
