import type { ByteSource } from './byte-source';
import { imageInspectors } from './image/image-inspectors';
import {
  UnreadableFileError,
  UnsupportedFormatError,
  type FormatName,
  type Inspection,
  type Inspector,
} from './media-format';
import { sniff, SNIFF_BYTES } from './sniff';
import { videoInspectors } from './video/video-inspectors';

const inspectors: Record<FormatName, Inspector> = { ...imageInspectors, ...videoInspectors };

/**
 * Reads what a file is by its content, and how to serve it without its metadata. Decodes no picture.
 * @throws UnsupportedFormatError where it is none of the accepted types.
 * @throws UnreadableFileError where it claims to be one and makes no sense, or is empty.
 */
export async function inspect(source: ByteSource): Promise<Inspection> {
  if (source.size === 0) throw new UnreadableFileError('The file is empty.');
  const format = sniff(await source.read(0, SNIFF_BYTES));
  if (!format) throw new UnsupportedFormatError('The file is none of the accepted types.');
  return inspectors[format](source);
}
