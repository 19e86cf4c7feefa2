import { tmpdir } from 'node:os';
import { locateTools } from '../tools/locate-tools';
import { chooseIsolation } from './choose-isolation';
import { describeIsolation } from './describe-isolation';

/*
 * A program for the operator's doctor. It tries the same kinds of isolation as media-processor, and prints the result as
 * JSON (an `IsolationReport`). Arguments: FFMPEG_PATH and FFPROBE_PATH, empty if they are not set.
 */
async function main([ffmpeg = '', ffprobe = '']: readonly string[]): Promise<void> {
  const none = { ffmpeg: null, ffprobe: null, prlimit: null };
  // Another check reports a program that can't be run.
  const tools = await locateTools({ ffmpeg, ffprobe }).catch(() => none);
  const report = describeIsolation(await chooseIsolation({ tools, scratch: tmpdir() }));
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

void main(process.argv.slice(2));
