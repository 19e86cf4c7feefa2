import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg, hugePng, svgBomb } from '@vitrine/testing';
import type { SampleFile } from '../sample-files';

const run = promisify(execFile);

/** Seconds of the video: minutes of work for two processors, in a file far below the size limit. */
const VIDEO_SECONDS = 5;

/** The files that cost the most work for their size: made once, uploaded many times. */
export interface ExpensiveFiles {
  readonly svg: SampleFile;
  readonly png: SampleFile;
  readonly video: SampleFile;
}

/** Takes some ten seconds. Throws where there is no ffmpeg to make the video. */
export async function makeExpensiveFiles(): Promise<ExpensiveFiles> {
  return {
    svg: { name: 'bomb.svg', bytes: svgBomb(), decodable: false },
    png: { name: 'huge.png', bytes: hugePng(), decodable: true },
    video: { name: 'long.mp4', bytes: await longVideo(), decodable: true },
  };
}

/** 3,840 × 2,160 pixels, 60 of them a second, with noise that no encoder finds easy. */
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
