import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg, hugePng, svgBomb } from '@vitrine/testing';
import type { SampleFile } from '../clients/sample-files';

const run = promisify(execFile);

/** Duration of the video: minutes of work for two processors, in a file far below the size limit. */
const VIDEO_SECONDS = 5;

/** The files that cost the most work for their size: made once, uploaded many times. */
export interface ExpensiveFiles {
  readonly svg: SampleFile;
  readonly png: SampleFile;
  readonly video: SampleFile;
}

/** Makes the files, which takes about ten seconds. Throws when there is no ffmpeg for the video. */
export async function makeExpensiveFiles(): Promise<ExpensiveFiles> {
  return {
    svg: { name: 'bomb.svg', bytes: svgBomb(), decodable: false },
    png: { name: 'huge.png', bytes: hugePng(), decodable: true },
    video: { name: 'long.mp4', bytes: await longVideo(), decodable: true },
  };
}

/** A video of 3,840 × 2,160 pixels with 60 frames a second, with noise that is hard to compress. */
async function longVideo(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-expensive-'));
  const ffmpeg = findFfmpeg();
  const file = join(folder, 'long.mp4');
  const source = `testsrc2=size=3840x2160:rate=60:duration=${VIDEO_SECONDS}`;
  try {
    await run(ffmpeg, [
      ...['-v', 'error', '-f', 'lavfi', '-i', source, '-pix_fmt', 'yuv420p', '-c:v', 'libx264'],
      ...['-preset', 'ultrafast', '-b:v', '30M', '-movflags', '+faststart', file],
    ]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
