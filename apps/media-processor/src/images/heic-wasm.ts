import type { HeifPicture } from '@vitrine/formats';
import libheif from 'libheif-js/wasm-bundle';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import { MAX_PIXELS } from '../pixels/open-image';
import { wrapInTiff } from './tiff-wrapper';

/**
 * Decodes the primary picture of a HEIC file in WebAssembly, upright, to an uncompressed 8-bit TIFF that holds the
 * colour profile of `picture`. This takes ten times as long as a native decoder. Throws `UnprocessableFileError`.
 */
export async function decodeHeicInWasm(file: Buffer, picture: HeifPicture | undefined): Promise<Buffer> {
  const { profile, isPremultiplied } = picture ?? { profile: undefined, isPremultiplied: false };
  const decoder = new libheif.HeifDecoder();
  const images = decoder.decode(file);
  try {
    const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
    if (!image) throw new UnprocessableFileError(failureReason.noPicture);
    const dimensions = { width: image.get_width(), height: image.get_height() };
    if (dimensions.width * dimensions.height > MAX_PIXELS) {
      throw new UnprocessableFileError(failureReason.pixels);
    }
    const { tiff, pixels } = wrapInTiff({ ...dimensions, channels: 4, depth: 8, isPremultiplied }, profile);
    const decoded = await new Promise((resolve) => image.display({ data: pixels, ...dimensions }, resolve));
    if (decoded === null) throw new UnprocessableFileError(failureReason.image);
    return tiff;
  } finally {
    images.forEach((image) => image.free());
    if (decoder.decoder) libheif.heif_context_free(decoder.decoder);
  }
}
