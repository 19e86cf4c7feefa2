import { tmpdir } from 'node:os';
import { readConfig } from '@vitrine/runtime';
import { VideoToolsConfig } from '../config/video-tools.config';
import { locateTools } from '../tools/locate-tools';
import { chooseIsolation } from './choose-isolation';
import { describeIsolation } from './describe-isolation';

/*
 * A program for the operator's doctor. It tries the same kinds of isolation as media-processor, and prints the result as
 * JSON (an `IsolationReport`). Reads the settings of media-processor.
 */
async function main(): Promise<void> {
  const none = { tools: { ffmpeg: null, ffprobe: null, prlimit: null } };
  // Another check reports a program that can't be run.
  const { tools } = await locateTools(readConfig(VideoToolsConfig)).catch(() => none);
  const report = describeIsolation(await chooseIsolation({ tools, scratch: tmpdir() }));
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

void main();
