import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '@vitrine/runtime';
import { StorageConfig } from '@vitrine/storage';
import type { Check } from './check';
import { MediaToolsConfig } from './doctor.config';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../../..');

/** The encoders that media-processor uses. */
const ENCODERS = ['libx264', 'aac', 'png', 'libwebp_anim'];
/** The first version that reads AVIF and JPEG XL. */
const OLDEST_FFMPEG = 5;
const GIGABYTE = 1024 ** 3;
const LITTLE_SPACE = 5 * GIGABYTE;
const NO_SPACE = GIGABYTE;

export const mediaToolsCheck: Check = {
  name: 'ffmpeg',
  advice: "Install the system's ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH.",
  async run(environment, report) {
    const configured = loadConfig(MediaToolsConfig, environment);
    const named = configured.ffmpeg !== '' || configured.ffprobe !== '';
    if (!named && !existsSync(resolve(ROOT, 'apps/media-processor'))) {
      return report.skip('media-processor runs elsewhere and has its own');
    }
    for (const [name, path] of [
      ['ffmpeg', configured.ffmpeg || 'ffmpeg'],
      ['ffprobe', configured.ffprobe || 'ffprobe'],
    ] as const) {
      // The PATH of the checked settings, which the processes use.
      const env = { PATH: environment['PATH'] ?? '' };
      const version = await run(path, ['-version'], { env }).then(
        ({ stdout }) => stdout,
        () => undefined,
      );
      if (version === undefined) {
        const advice = `Install the system's ffmpeg, or set ${name.toUpperCase()}_PATH.`;
        if (named) report.problem(`${name} can't be run`, advice);
        else
          report.warn(
            `${name} is not on the PATH: videos are refused`,
            `Install ffmpeg (Debian: apt install ffmpeg), or set ${name.toUpperCase()}_PATH, and start Vitrine again.`,
          );
        continue;
      }
      const major = /version n?(\d+)/.exec(version)?.[1];
      if (major !== undefined && Number(major) < OLDEST_FFMPEG) {
        report.warn(`${name} ${major} is old`, `Install ${name} ${OLDEST_FFMPEG} or later.`);
      } else {
        report.ok(`${name} ${major ?? '(unknown version)'} runs`);
      }
      if (name !== 'ffmpeg') continue;
      const { stdout } = await run(path, ['-hide_banner', '-encoders'], { env });
      const lacking = ENCODERS.filter((encoder) => !new RegExp(`^ \\S+ +${encoder} `, 'm').test(stdout));
      if (lacking.length > 0) {
        report.problem(`ffmpeg lacks ${lacking.join(', ')}`, 'Install a build with these encoders.');
      }
    }
  },
};

/** A program of media-processor that prints how its decoders are isolated. */
const ISOLATION_PROGRAM = 'apps/media-processor/dist/isolation/main.js';

interface IsolationReport {
  readonly level: 'sandbox' | 'user' | 'none';
  readonly found: string;
  readonly advice: string;
}

export const isolationCheck: Check = {
  name: 'isolation',
  advice: 'Build Vitrine (npm run build) and run the doctor again.',
  async run(environment, report) {
    const program = resolve(ROOT, ISOLATION_PROGRAM);
    if (!existsSync(program))
      return report.skip('media-processor runs elsewhere; its log says how decoders are isolated');
    const { ffmpeg, ffprobe } = loadConfig(MediaToolsConfig, environment);
    const env = { PATH: environment['PATH'] ?? '' };
    const { stdout } = await run(process.execPath, [program, ffmpeg, ffprobe], { env });
    const { level, found, advice } = JSON.parse(stdout) as IsolationReport;
    if (level === 'sandbox') report.ok(found);
    else report.warn(found, advice);
  },
};

export const foldersCheck: Check = {
  name: 'folders',
  advice: 'Make the user that runs Vitrine the owner of the folder.',
  async run(environment, report) {
    const { location, scratchDirectory } = loadConfig(StorageConfig, environment);
    const folder = location.kind === 'folder' ? location.path : scratchDirectory;
    await mkdir(folder, { recursive: true });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const words = `${(free / GIGABYTE).toFixed(1)} GB are free in ${folder}`;
    if (free < NO_SPACE) report.problem(words, 'Free some space: uploads are refused when the disk is full.');
    else if (free < LITTLE_SPACE)
      report.warn(words, 'Free some space, or move the folder with VITRINE_DATA_DIR.');
    else report.ok(words);
  },
};
