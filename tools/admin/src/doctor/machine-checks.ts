import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '@vitrine/runtime';
import { StorageConfig } from '@vitrine/storage';
import type { Check } from './check';
import { findVideoTools, INSTALL_FFMPEG } from '../video-tools/find-video-tools';

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
  advice: INSTALL_FFMPEG,
  async run(environment, report) {
    const tools = await findVideoTools(environment);
    if (!tools) return report.skip('media-processor runs elsewhere and has its own');
    const { found, ffmpeg, isBroken } = tools;
    if (isBroken) return report.problem(found, "Install the system's ffmpeg, or correct the setting.");
    if (!ffmpeg) return report.warn(`videos are refused: ${found}`, INSTALL_FFMPEG);
    const version = Number(/^ffmpeg (\d+)/.exec(found)?.[1] ?? OLDEST_FFMPEG);
    if (version < OLDEST_FFMPEG) {
      report.warn(`${found} is old`, `Install ffmpeg ${OLDEST_FFMPEG} or later, or set VIDEO_TOOLS=auto.`);
    } else report.ok(`videos are processed by ${found}`);
    const [program, ...bundled] = ffmpeg;
    if (bundled.length > 0) return;
    // The PATH of the checked settings, which the processes use.
    const { stdout } = await run(program, ['-hide_banner', '-encoders'], {
      env: { PATH: environment['PATH'] ?? '' },
    });
    const lacking = ENCODERS.filter((encoder) => !new RegExp(`^ \\S+ +${encoder} `, 'm').test(stdout));
    if (lacking.length > 0) {
      report.problem(`ffmpeg lacks ${lacking.join(', ')}`, 'Install a build with these encoders.');
    }
  },
};

/** A program of media-processor that prints how its decoders are isolated. */
const ISOLATION_PROGRAM = 'apps/media-processor/dist/isolation/main.js';

interface IsolationReport {
  readonly level: 'sandbox' | 'namespaces' | 'user' | 'none';
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
    const { stdout } = await run(process.execPath, [program], { env: { ...environment } });
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
