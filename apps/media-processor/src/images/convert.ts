import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemorySource, readSequenceColour, readTrackHandlers, type SequenceColour } from '@vitrine/formats';
import { failureReason } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { MAX_PIXELS } from '../pixels/pixel-limits';
import { AVIF_SEQUENCE, JPEG_XL, type InputKind } from '../tools/decoders';
import { FFMPEG_PREAMBLE, hardenedInput, WITH_CHROMA, WITHOUT_EDITS } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';

/** Converts the first picture of a JPEG XL to a PNG in the job's folder; returns its path. */
export async function convertToPng(job: MediaJob): Promise<string> {
  const output = join(job.folder, 'converted.png');
  await ffmpeg(job, JPEG_XL, ['-frames:v', '1', '-c:v', 'png', '-compression_level', '1'], output);
  return output;
}

/**
 * Converts an AVIF sequence to a lossless animated WebP in the job's folder, which libvips reads frame by frame;
 * returns its path. Delays come from the source's timestamps, transparency from its own track. The edit list is
 * ignored, as in browsers.
 */
export async function convertAvifSequence(job: MediaJob): Promise<string> {
  const output = join(job.folder, 'converted.webp');
  const lossless = ['-c:v', 'libwebp_anim', '-lossless', '1', '-compression_level', '0', '-loop', '0'];
  const pictures = await picturesOfSequence(job.source);
  await ffmpeg(
    job,
    AVIF_SEQUENCE,
    [...pictures, '-an', '-vsync', 'passthrough', '-pix_fmt', 'bgra', ...lossless],
    output,
  );
  return output;
}

/** Chooses the first track of pictures of a sequence, and the track of their transparency if there is one. */
async function picturesOfSequence(path: string): Promise<string[]> {
  const { colours, alpha } = await streamsOfSequence(path);
  if (alpha === null) return ['-map', `0:${colours}`, '-vf', WITH_CHROMA];
  const merge = `[0:${colours}]${WITH_CHROMA},format=bgra[colours];[0:${alpha}]format=gray[alpha];[colours][alpha]alphamerge`;
  return ['-filter_complex', merge];
}

/** The streams of a sequence, as in ffmpeg's `-map` after `0:`. */
export async function streamsOfSequence(path: string): Promise<{ colours: string; alpha: string | null }> {
  const handlers = await readHandlers(path);
  const [colours, alpha] = [handlers.indexOf('pict'), handlers.indexOf('auxv')];
  if (colours < 0) return { colours: 'v:0', alpha: null };
  return { colours: String(colours), alpha: alpha < 0 ? null : String(alpha) };
}

/** The colours of a sequence; empty if its boxes can't be read here. ffmpeg may still read them. */
export async function coloursOfSequence(path: string): Promise<Partial<SequenceColour>> {
  try {
    return await readSequenceColour(new MemorySource(await readFile(path)));
  } catch {
    return {};
  }
}

/** Returns nothing if the tables can't be read here; ffmpeg may still read them. */
async function readHandlers(path: string): Promise<string[]> {
  try {
    return await readTrackHandlers(new MemorySource(await readFile(path)));
  } catch {
    return [];
  }
}

async function ffmpeg(job: MediaJob, kind: InputKind, args: string[], output: string): Promise<void> {
  const edits = kind === AVIF_SEQUENCE ? WITHOUT_EDITS : [];
  const input = [...edits, '-f', kind.demuxers, ...hardenedInput(job.source, kind, MAX_PIXELS)];
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [...FFMPEG_PREAMBLE, ...input, ...args, `file:${output}`],
    reason: failureReason.image,
  });
}
