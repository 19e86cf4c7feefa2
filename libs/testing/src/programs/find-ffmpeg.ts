import { spawnSync } from 'node:child_process';
import { installDebianPackage } from './debian-package';

/**
 * The ffmpeg that makes samples: `FFMPEG_PATH`, or the one on the PATH. If it is missing and we are root, it is
 * installed. Throws if there is none.
 */
export function findFfmpeg(): string {
  if (process.env['FFMPEG_PATH']) return process.env['FFMPEG_PATH'];
  const runs = (): boolean => spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;
  if (!runs()) installDebianPackage('ffmpeg');
  if (!runs()) throw new Error('The tests need ffmpeg (apt-get install ffmpeg, or set FFMPEG_PATH)');
  return 'ffmpeg';
}
