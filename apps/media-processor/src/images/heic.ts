import { readFile } from 'node:fs/promises';
import { MemorySource, readHeifPicture, type HeifPicture } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import { readCodedColour, type SourceColour } from './colour/source-colour';
import { decodeHeicNatively, isNativelyDecodable } from './heic-native';
import { decodeHeicInWasm } from './heic-wasm';
import { hasNativeDecoder } from './native-decoders';

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
