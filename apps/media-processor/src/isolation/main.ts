import { tmpdir } from 'node:os';
import { locateTools } from '../tools/locate-tools';
import { chooseIsolation } from './choose-isolation';
import { describeIsolation } from './describe-isolation';

/*
 * For the operator's doctor, which runs it as a program: tries what media-processor would try, and prints what came of
 * it as JSON (an `IsolationReport`). Arguments: FFMPEG_PATH and FFPROBE_PATH, empty where they are not set.
 */
async function main([ffmpeg = '', ffprobe = '']: readonly string[]): Promise<void> {
  const none = { ffmpeg: null, ffprobe: null, prlimit: null };
  // A program that can't be run is another check's finding.
  const tools = await locateTools({ ffmpeg, ffprobe }).catch(() => none);
  const report = describeIsolation(await chooseIsolation({ tools, scratch: tmpdir() }));
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

void main(process.argv.slice(2));
