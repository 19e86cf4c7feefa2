import { readFile } from 'node:fs/promises';
import { IMAGE_EDGE } from '@vitrine/contracts';
import { MemorySource, readJxlHeader, type JxlHeader } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import type { ImageInput } from '../pixels/open-image';
import { fitLongestEdge, type Dimensions } from '../pixels/variant-plan';
import { readCodedColour, type SourceColour } from './colour/source-colour';
import { convertToPng } from './convert';
import { decodeJxlInWasm } from './jxl-wasm';
import { hasNativeDecoder } from './native-decoders';

/** A decoded JPEG XL in a form that libvips reads, and its colour space if no profile defines it. */
export interface DecodedJxl {
  readonly input: ImageInput;
  readonly colour: SourceColour | null;
  /** Pixels of the picture, if `input` holds fewer; else null. */
  readonly whole: Dimensions | null;
}

/** ffmpeg scales pictures with more pixels down, so that little data passes between the two programs. */
const LARGE = 24_000_000;
/** The longest edge after that: twice that of the largest variant. */
const REDUCED_EDGE = 2 * Math.max(...Object.values(IMAGE_EDGE));

/**
 * Decodes the first picture of a JPEG XL, upright. Uses ffmpeg if it was built with libjxl, else WebAssembly, which
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
