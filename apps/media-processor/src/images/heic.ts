import { readFile } from 'node:fs/promises';
import libheif from 'libheif-js/wasm-bundle';
import { failureReason, UnprocessableFileError } from '../failures';
import { MAX_PIXELS, openStill } from './open-image';
import { wrapInTiff } from './tiff-wrapper';

/**
 * Decodes the primary picture of a HEIC file, upright, in wasm: libvips comes without an HEVC decoder. Gives it as
 * an uncompressed TIFF, so that the file's colour profile stays with the pixels. Throws `UnprocessableFileError`.
 */
export async function decodeHeic(path: string): Promise<Buffer> {
  const profile = await colourProfile(path);
  const decoder = new libheif.HeifDecoder();
  const images = decoder.decode(await readFile(path));
  try {
    const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
    if (!image) throw new UnprocessableFileError(failureReason.noPicture);
    const dimensions = { width: image.get_width(), height: image.get_height() };
    if (dimensions.width * dimensions.height > MAX_PIXELS) {
      throw new UnprocessableFileError(failureReason.pixels);
    }
    const { tiff, pixels } = wrapInTiff(dimensions, profile);
    const decoded = await new Promise((resolve) => image.display({ data: pixels, ...dimensions }, resolve));
    if (decoded === null) throw new UnprocessableFileError(failureReason.image);
    return tiff;
  } finally {
    images.forEach((image) => image.free());
    if (decoder.decoder) libheif.heif_context_free(decoder.decoder);
  }
}

/** The embedded ICC profile, which the wasm decoder doesn't give; libvips reads it without decoding. */
async function colourProfile(path: string): Promise<Buffer | undefined> {
  try {
    return (await openStill(path).metadata()).icc;
  } catch {
    return undefined;
  }
}
