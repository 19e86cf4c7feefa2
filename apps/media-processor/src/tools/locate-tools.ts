import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { VideoToolsConfig } from '../config/video-tools.config';
import type { ToolCommand, Tools } from '../jobs/protocol';
import { findOnPath } from './on-path';

const run = promisify(execFile);

/** The first version that reads AVIF and JPEG XL. */
const OLDEST_FFMPEG = 5;

/** The built program that replaces ffmpeg and ffprobe, whether this module is built or not. */
const BUNDLED = join(__dirname, '..', '..', 'dist', 'bundled-tools', 'main.js');

export interface LocatedTools {
  readonly tools: Tools;
  /** The version and the source of ffmpeg, or why there is none; without a full stop. */
  readonly found: string;
}

interface Pair {
  readonly ffmpeg: ToolCommand;
  readonly ffprobe: ToolCommand;
  readonly found: string;
  /** The first number of the version; null if it has none. */
  readonly major: number | null;
}

/**
 * Finds ffmpeg and ffprobe. With `auto`, the configured ones or those on the PATH are used if they have version 5 or
 * later, or else the bundled ones. Throws if one is configured and can't be run.
 */
export async function locateTools({ videoTools, ffmpeg }: VideoToolsConfig): Promise<LocatedTools> {
  const prlimit = await findOnPath('prlimit');
  const none = (found: string): LocatedTools => ({ tools: { ffmpeg: null, ffprobe: null, prlimit }, found });
  const use = (pair: Pair): LocatedTools => ({
    tools: { ffmpeg: pair.ffmpeg, ffprobe: pair.ffprobe, prlimit },
    found: pair.found,
  });
  if (videoTools === 'none') return none('no ffmpeg, because VIDEO_TOOLS is none');
  const system = videoTools === 'bundled' ? null : await systemTools(ffmpeg);
  if (system && (videoTools === 'system' || system.major === null || system.major >= OLDEST_FFMPEG)) {
    return use(system);
  }
  const older = system ? `${system.found} is older than version ${OLDEST_FFMPEG}` : 'no ffmpeg is installed';
  if (videoTools === 'system') return none(older);
  try {
    return use(await bundledTools());
  } catch (error) {
    return none(
      `${videoTools === 'auto' ? `${older}, and ` : ''}node-av can't be loaded: ${reasonOf(error)}`,
    );
  }
}

/**
 * The configured ffmpeg with the ffprobe beside it, or else those on the PATH; null if none is configured and one of them is
 * missing.
 */
async function systemTools(ffmpegPath: string): Promise<Pair | null> {
  const beside = join(dirname(ffmpegPath), 'ffprobe');
  const ffmpeg = ffmpegPath || (await findOnPath('ffmpeg'));
  const ffprobe =
    ffmpegPath && existsSync(beside) ? beside : ((await findOnPath('ffprobe')) ?? (ffmpegPath && beside));
  if (!ffmpeg || !ffprobe) return null;
  const banner = await versionOf('ffmpeg', ffmpeg);
  await versionOf('ffprobe', ffprobe);
  const version = /version n?(\d[\d.]*)/.exec(banner)?.[1];
  return {
    ...{
      ffmpeg: [ffmpeg],
      ffprobe: [ffprobe],
      found: `ffmpeg ${version ?? 'of unknown version'} from ${ffmpeg}`,
    },
    major: version === undefined ? null : Number.parseInt(version, 10),
  };
}

async function versionOf(name: string, path: string): Promise<string> {
  try {
    return (await run(path, ['-version'])).stdout;
  } catch {
    throw new Error(`${name} can't be run from ${path}; set FFMPEG_PATH to a working ffmpeg`);
  }
}

/** The tools that come with Vitrine. Throws if their libraries can't be loaded on this system. */
async function bundledTools(): Promise<Pair> {
  const command = (name: string): ToolCommand => [process.execPath, BUNDLED, name];
  const [program, ...args] = command('ffmpeg');
  const { stdout } = await run(program, [...args, '-version']);
  const [, version = '', source = ''] = /version (\S+) of (.*)/.exec(stdout) ?? [];
  return {
    ...{ ffmpeg: command('ffmpeg'), ffprobe: command('ffprobe') },
    ...{ found: `FFmpeg ${version} of ${source}`, major: Number.parseInt(version, 10) },
  };
}

/** The line of Node.js's output that names the error. */
function reasonOf(error: unknown): string {
  const lines = error instanceof Error && 'stderr' in error ? String(error.stderr).split('\n') : [];
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? String(error)).trim();
}
