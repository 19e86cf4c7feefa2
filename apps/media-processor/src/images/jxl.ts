import { readFile } from 'node:fs/promises';
import { MemorySource, readJxlHeader, type JxlHeader } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import type { ImageInput } from '../pixels/open-image';
import { readCodedColour, type SourceColour } from './colour/source-colour';
import { convertToPng } from './convert';
import { decodeJxlInWasm } from './jxl-wasm';
import { hasNativeDecoder } from './native-decoders';

/** A decoded JPEG XL in a form that libvips reads, and its colour space if no profile defines it. */
export interface DecodedJxl {
  readonly input: ImageInput;
  readonly colour: SourceColour | null;
}

/**
 * Decodes the first picture of a JPEG XL, upright. Uses ffmpeg if it was built with libjxl, else WebAssembly, which
 * takes five to ten times as long. ffmpeg loses the profile of a picture in XYB, so WebAssembly decodes such a picture. Throws
 * `UnprocessableFileError`.
 */
export async function decodeJxl(job: MediaJob): Promise<DecodedJxl> {
  const header = await readHeader(job.source);
  if (header?.isXybWithProfile || !(await hasNativeDecoder(job, 'libjxl'))) {
    return { input: await decodeJxlInWasm(job.source), colour: null };
  }
  return { input: await convertToPng(job), colour: readCodedColour(header?.codedColour) };
}

async function readHeader(path: string): Promise<JxlHeader | undefined> {
  try {
    return await readJxlHeader(new MemorySource(await readFile(path)));
  } catch {
    return undefined;
  }
}
