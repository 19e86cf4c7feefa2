import { readFile } from 'node:fs/promises';
import { IMAGE_EDGE } from '@vitrine/contracts';
import { MemorySource, readJxlHeader, type JxlHeader } from '@vitrine/formats';
import type { MediaJob } from '../worker/protocol';
import { readCodedColour, type SourceColour } from './colour/source-colour';
import { convertToPng } from './convert';
import { decodeJxlInWasm } from './jxl-wasm';
import { hasNativeDecoder } from './native-decoders';
import type { ImageInput } from './open-image';
import { fitLongestEdge, type Dimensions } from './variant-plan';

/** A decoded JPEG XL in a form that libvips reads, with the meaning of its values where no profile gives it. */
export interface DecodedJxl {
  readonly input: ImageInput;
  readonly colour: SourceColour | null;
  /** Pixels of the picture where `input` holds fewer. */
  readonly whole: Dimensions | null;
}

/** Pictures with more pixels are scaled down by ffmpeg, so that the copies between two programs stay small. */
const LARGE = 24_000_000;
/** The longest edge after that: twice that of the largest variant. */
const REDUCED_EDGE = 2 * Math.max(...Object.values(IMAGE_EDGE));

/**
 * Decodes the first picture of a JPEG XL, upright. Uses ffmpeg where it was built with libjxl, else WebAssembly, which
 * takes five to ten times as long. Throws `UnprocessableFileError`.
 */
export async function decodeJxl(job: MediaJob): Promise<DecodedJxl> {
  if (!(await hasNativeDecoder(job, 'libjxl'))) {
    return { input: await decodeJxlInWasm(job.source), colour: null, whole: null };
  }
  const header = await readHeader(job.source);
  const isLarge = header !== undefined && header.width * header.height > LARGE;
  const reduced = isLarge ? fitLongestEdge(header, REDUCED_EDGE) : null;
  const input = await convertToPng(job, reduced);
  return { input, colour: readCodedColour(header?.codedColour), whole: isLarge ? header : null };
}

async function readHeader(path: string): Promise<JxlHeader | undefined> {
  try {
    return await readJxlHeader(new MemorySource(await readFile(path)));
  } catch {
    return undefined;
  }
}
