import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VIDEO_THUMB_EDGE } from '@vitrine/contracts';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { fitLongestEdge, type Dimensions } from '../pixels/variant-plan';
import { FFMPEG_PREAMBLE, hardenedInput } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { renditionToRgb } from './colour';
import type { ColourTags } from './colour-tags';

/** A frame is black if nine tenths of it are darker than a luma of 32 (16 is black, 235 white). */
const NOT_BLACK =
  'blackframe=amount=0:threshold=32,metadata=mode=select:key=lavfi.blackframe.pblack:value=90:function=less';
/** Seconds of a black beginning after which the first frame is used. */
const SEARCHED_SECONDS = 600;

/** A rendition that is in the job's folder. */
export type MadeRendition = Dimensions & { readonly path: string; readonly tags: ColourTags };

/**
 * Takes the first frame of a rendition that isn't black, or else the first frame. Returns the path of a PNG in the
 * job's folder, whose longest edge is at most 640. Throws `UnprocessableFileError` if there is no frame.
 */
export async function takeThumbnail(job: MediaJob, rendition: MadeRendition): Promise<string> {
  const { width, height } = fitLongestEdge(rendition, VIDEO_THUMB_EDGE);
  const picture = renditionToRgb(rendition.tags, `${width}:${height}`);
  const output = join(job.folder, 'thumb.png');
  for (const filter of [`${NOT_BLACK},${picture}`, picture]) {
    await runTool(job, {
      program: job.tools.ffmpeg,
      args: [
        ...[...FFMPEG_PREAMBLE, ...hardenedInput(rendition.path), '-t', String(SEARCHED_SECONDS)],
        ...[
          '-map',
          '0:v:0',
          '-vf',
          filter,
          '-frames:v',
          '1',
          '-c:v',
          'png',
          '-f',
          'image2',
          `file:${output}`,
        ],
      ],
      reason: failureReason.video,
    });
    if (await isWritten(output)) return output;
  }
  throw new UnprocessableFileError(failureReason.noPicture);
}

/** Whether a program has written something to this file. */
export async function isWritten(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size > 0;
  } catch {
    return false;
  }
}
