import { join } from 'node:path';
import { failureReason } from '../failures';
import { FFMPEG_PREAMBLE, hardenedInput, WITHOUT_EDITS } from '../video/ffmpeg-arguments';
import { runTool } from '../video/run-tool';
import type { MediaJob } from '../worker/protocol';
import { MAX_PIXELS } from './open-image';
import type { Dimensions } from './variant-plan';

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
 * Turns an AVIF sequence into a lossless animated WebP in the job's folder, which libvips reads frame by frame; gives its
 * path. Delays come from the source's time stamps; browsers take no notice of its edit list. A second track is the
 * transparency of the first.
 */
export async function convertAvifSequence(job: MediaJob): Promise<string> {
  const output = join(job.folder, 'converted.webp');
  const hasAlpha = (await countTracks(job)) > 1;
  const picture = hasAlpha
    ? ['-filter_complex', '[0:v:0]format=gbrp[colours];[0:v:1]format=gray[alpha];[colours][alpha]alphamerge']
    : ['-map', '0:v:0'];
  const lossless = ['-c:v', 'libwebp_anim', '-lossless', '1', '-compression_level', '0', '-loop', '0'];
  await ffmpeg(
    job,
    'mov',
    [...picture, '-an', '-vsync', 'passthrough', '-pix_fmt', 'bgra', ...lossless],
    output,
  );
  return output;
}

async function countTracks({ tools, limits, source }: MediaJob): Promise<number> {
  const list = await runTool(
    { tools, limits },
    {
      program: tools.ffprobe,
      args: [
        ...[
          '-v',
          'error',
          '-f',
          'mov',
          '-select_streams',
          'v',
          '-show_entries',
          'stream=index',
          '-of',
          'csv=p=0',
        ],
        ...hardenedInput(source, 'mov', MAX_PIXELS),
      ],
      reason: failureReason.image,
    },
  );
  return list.split('\n').filter(Boolean).length;
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
