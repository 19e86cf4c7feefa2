import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { path as installedFfmpeg } from '@ffmpeg-installer/ffmpeg';

/** The ffmpeg that makes samples: `FFMPEG_PATH`, the system's, or npm's, of which `folder` may get a copy. */
export function findFfmpeg(folder: string): string {
  if (process.env['FFMPEG_PATH']) return process.env['FFMPEG_PATH'];
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' });
    return 'ffmpeg';
  } catch {
    return executable(installedFfmpeg, folder);
  }
}

/** npm unpacks the binary without its execute bit where install scripts don't run. */
function executable(binary: string, folder: string): string {
  try {
    accessSync(binary, constants.X_OK);
    return binary;
  } catch {
    const copy = join(folder, 'ffmpeg');
    copyFileSync(binary, copy);
    chmodSync(copy, 0o755);
    return copy;
  }
}
