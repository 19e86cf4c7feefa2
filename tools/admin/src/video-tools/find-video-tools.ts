import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Environment, errorMessage } from '@vitrine/runtime/standalone';

const run = promisify(execFile);

/** A program of media-processor that prints which ffmpeg it uses. */
const PROGRAM = resolve(__dirname, '../../../../apps/media-processor/dist/tools/main.js');
const SETTINGS = ['PATH', 'VIDEO_TOOLS', 'FFMPEG_PATH'];

/** How to get an ffmpeg. */
export const INSTALL_FFMPEG = 'Install ffmpeg (Debian: apt install ffmpeg), and start Vitrine again.';

/** A program and its first arguments; null if this machine has none. */
type ToolCommand = readonly [program: string, ...args: string[]] | null;

export interface FoundVideoTools {
  /** The version and the source of the ffmpeg that processes videos, or why there is none; without a full stop. */
  readonly found: string;
  /** Null if videos are refused. */
  readonly ffmpeg: ToolCommand;
  readonly ffprobe: ToolCommand;
  /** Whether media-processor can't start, because a configured program can't be run or a setting is wrong. */
  readonly isBroken: boolean;
}

/** What media-processor uses with these settings; null if it isn't installed here. */
export async function findVideoTools(environment: Environment): Promise<FoundVideoTools | null> {
  if (!existsSync(PROGRAM)) return null;
  const env = Object.fromEntries(SETTINGS.map((name) => [name, environment[name]]));
  try {
    const { stdout } = await run(process.execPath, [PROGRAM], { env });
    return JSON.parse(stdout) as FoundVideoTools;
  } catch (error) {
    return { found: errorMessage(error), ffmpeg: null, ffprobe: null, isBroken: true };
  }
}
