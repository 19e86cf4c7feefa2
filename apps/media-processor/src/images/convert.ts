import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemorySource, readTrackHandlers } from '@vitrine/formats';
import { failureReason } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { MAX_PIXELS } from '../pixels/open-image';
import type { Dimensions } from '../pixels/variant-plan';
import { FFMPEG_PREAMBLE, hardenedInput, WITHOUT_EDITS } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';

/** Converts the first picture of a JPEG XL to a PNG of `size` in the job's folder; returns its path. */
export async function convertToPng(job: MediaJob, size: Dimensions | null): Promise<string> {
  const scale = size ? ['-vf', `scale=${size.width}:${size.height}`] : [];
  const output = join(job.folder, 'converted.png');
  await ffmpeg(
    job,
    'jpegxl_pipe',
    [...scale, '-frames:v', '1', '-c:v', 'png', '-compression_level', '1'],
    output,
  );
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
    'mov',
    [...pictures, '-an', '-vsync', 'passthrough', '-pix_fmt', 'bgra', ...lossless],
    output,
  );
  return output;
}

/** Chooses the first track of pictures of a sequence, and the track of their transparency if there is one. */
async function picturesOfSequence(path: string): Promise<string[]> {
  const handlers = await readHandlers(path);
  const [colours, alpha] = [handlers.indexOf('pict'), handlers.indexOf('auxv')];
  if (colours < 0 || alpha < 0) return ['-map', `0:${colours < 0 ? 'v:0' : colours}`];
  const merge = `[0:${colours}]format=bgra[colours];[0:${alpha}]format=gray[alpha];[colours][alpha]alphamerge`;
  return ['-filter_complex', merge];
}

/** Returns nothing if the tables can't be read here; ffmpeg may still read them. */
async function readHandlers(path: string): Promise<string[]> {
  try {
    return await readTrackHandlers(new MemorySource(await readFile(path)));
  } catch {
    return [];
  }
}

async function ffmpeg(job: MediaJob, demuxer: string, args: string[], output: string): Promise<void> {
  const edits = demuxer === 'mov' ? WITHOUT_EDITS : [];
  const input = [...edits, '-f', demuxer, ...hardenedInput(job.source, demuxer, MAX_PIXELS)];
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [...FFMPEG_PREAMBLE, ...input, ...args, `file:${output}`],
    reason: failureReason.image,
  });
}
