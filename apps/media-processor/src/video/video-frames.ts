import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { failureReason } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { FRAME_EDGE, type JudgedFrames } from '../perception/perceive';
import { openStill } from '../pixels/open-image';
import { toPixels } from '../pixels/pixels';
import { FFMPEG_PREAMBLE, isLargeFrame } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { renditionToRgb } from './colour';
import { keepLastOfSample, inputAt, type VideoStream } from './video-scan';
import { isWritten } from './thumbnail';

/** Frames that are extracted in one run; each needs its own decoder and encoder in memory. */
const FRAMES_PER_RUN = 4;

/**
 * Adds the frames that appear at the given moments (seconds) to the pictures that the classifier judges. Throws
 * `UnprocessableFileError` if the video can't be decoded, and `Error` if the machine is at fault.
 */
export async function judgeFramesAt(
  job: MediaJob,
  video: VideoStream,
  moments: readonly number[],
  judged: JudgedFrames,
): Promise<void> {
  const atOnce = isLargeFrame(video.pixels ?? 0) ? 1 : FRAMES_PER_RUN;
  for (let first = 0; first < moments.length; first += atOnce) {
    const paths = await takeFrames(job, video, moments.slice(first, first + atOnce));
    for (const path of paths) {
      if (!(await isWritten(path))) continue;
      await judged.add(await toPixels(openStill(path)));
      // In the sandbox, files can't be removed.
      await truncate(path);
    }
  }
}

/** Writes a PNG for each moment that has a frame; returns the paths. */
async function takeFrames(
  job: MediaJob,
  video: VideoStream,
  moments: readonly number[],
): Promise<readonly string[]> {
  const size = `'min(${FRAME_EDGE},iw)':'min(${FRAME_EDGE},ih)':force_original_aspect_ratio=decrease`;
  const paths = moments.map((_, index) => join(job.folder, `moment-${index}.png`));
  const inputs = moments.flatMap((moment) => inputAt(job, video, moment));
  const rgb = video.tags ? renditionToRgb(video.tags, size) : `scale=${size},format=rgb24`;
  const filter = [keepLastOfSample(video), ...(video.filters ?? []), rgb].join(',');
  const outputs = paths.flatMap((path, index) => [
    ...['-map', `${index}:${video.stream}`, '-vf', filter, '-frames:v', '1'],
    ...['-threads', '1', '-c:v', 'png', '-f', 'image2', `file:${path}`],
  ]);
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [...FFMPEG_PREAMBLE, '-filter_threads', '1', ...inputs, ...outputs],
    reason: failureReason.video,
  });
  return paths;
}
