import { readConfig } from '@vitrine/runtime';
import { VideoToolsConfig } from '../config/video-tools.config';
import { locateTools } from './locate-tools';

/*
 * A program for `npm start` and for the operator's doctor, with the settings of media-processor. It prints a JSON object:
 * `found`, the ffmpeg that processes videos, or why there is none; `ffmpeg` and `ffprobe`, their commands or null; `isBroken`,
 * whether a configured program can't be run, so that media-processor doesn't start.
 */
async function main(): Promise<void> {
  const { tools, found, isBroken } = await locateTools(readConfig(VideoToolsConfig)).then(
    (located) => ({ ...located, isBroken: false }),
    (error: Error) => ({ tools: { ffmpeg: null, ffprobe: null }, found: error.message, isBroken: true }),
  );
  const { ffmpeg, ffprobe } = tools;
  process.stdout.write(`${JSON.stringify({ found, ffmpeg, ffprobe, isBroken })}\n`);
}

void main();
