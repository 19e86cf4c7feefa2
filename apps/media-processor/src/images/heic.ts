import { readFile } from 'node:fs/promises';
import { MemorySource, readHeifPicture, type HeifPicture } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import { readCodedColour, type SourceColour } from './colour/source-colour';
import { decodeHeicNatively, isNativelyDecodable } from './heic-native';
import { hasNativeDecoder } from './native-decoders';
import libheif from 'libheif-js/wasm-bundle';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import { MAX_PIXELS } from '../pixels/pixel-limits';
import { wrapInTiff } from './tiff-wrapper';

/** A decoded HEIC in a form that libvips reads, and its colour space if no profile defines it. */
export interface DecodedHeic {
  readonly tiff: Buffer;
  readonly colour: SourceColour | null;
}

/** Decodes a job's HEIC file; see `decodeHeicFile`. */
export const decodeHeic = async (job: MediaJob): Promise<DecodedHeic> =>
  decodeHeicFile(job, await readFile(job.source));

/**
 * Decodes the primary picture of a HEIC file, upright, because libvips has no HEVC decoder. Decodes with ffmpeg if
 * possible, else in WebAssembly; native libheif and libde265 have had memory errors. Returns an uncompressed TIFF, so
 * that the file's colour profile stays with the pixels. Throws `UnprocessableFileError`.
 */
export async function decodeHeicFile(job: MediaJob, file: Buffer): Promise<DecodedHeic> {
  const picture = await readPicture(file);
  const profile = picture?.profile;
  const colour = profile ? null : readCodedColour(picture?.codedColour);
  if (picture && isNativelyDecodable(picture) && (await hasNativeDecoder(job, 'hevc'))) {
    const deep = colour?.isHdr ?? false;
    return { tiff: await decodeHeicNatively(job, { file, picture }, { deep, profile }), colour };
  }
  return { tiff: await decodeHeicInWasm(file, picture), colour };
}

/** Undefined if the tables can't be read here; the decoder in WebAssembly may still read them. */
export async function readPicture(file: Uint8Array): Promise<HeifPicture | undefined> {
  try {
    return await readHeifPicture(new MemorySource(file));
  } catch {
    return undefined;
  }
}

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
