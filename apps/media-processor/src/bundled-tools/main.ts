import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AV_LOG_ERROR } from 'node-av/constants';
import { getFFmpegInfo, Log } from 'node-av/lib';
import { ffmpeg } from './ffmpeg';
import { ffprobe } from './ffprobe';
import { complain, ToolError } from './tool-error';

/*
 * Does the work of ffmpeg and ffprobe with the libraries of the package node-av. Arguments: `ffmpeg` or `ffprobe`, then
 * that program's own arguments.
 */
function main([program = '', ...args]: readonly string[]): number {
  Log.setLevel(AV_LOG_ERROR);
  try {
    if (args[0] === '-version') writeSync(1, `${program} version ${version()}\n`);
    else if (program === 'ffprobe') ffprobe(args);
    else ffmpeg(args);
    return 0;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    complain(error.message);
    return error.exitCode;
  }
}

/** The version of the libraries, and that of the package. */
function version(): string {
  // The package exports no other path near its manifest.
  const manifest = join(dirname(require.resolve('node-av/lib')), '..', '..', 'package.json');
  const { version: packaged } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return `${getFFmpegInfo().version.replace(/-.*/, '')} of node-av ${packaged}`;
}

process.exitCode = main(process.argv.slice(2));
