import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installDebianPackage } from './debian-package';
import { describeUnless } from './describe-unless';

/** The built program of media-processor that replaces ffmpeg and ffprobe. */
const STAND_IN = resolve(__dirname, '../../../../apps/media-processor/dist/bundled-tools/main.js');

/** Where the scripts that run it are written; a temporary folder could be one from which no program may run. */
const SCRIPTS = resolve(__dirname, '../../../../node_modules/.cache/vitrine-tools');

/**
 * The ffmpeg that makes samples: `FFMPEG_PATH`, the one on the PATH, or else the one that comes with Vitrine. If it
 * is missing and we are root, it is installed. Throws if there is none.
 */
export const findFfmpeg = (): string => findTool('ffmpeg');

/** The ffprobe that measures results; see `findFfmpeg`. */
export const findFfprobe = (): string => findTool('ffprobe');

const found = new Map<string, string>();

function findTool(name: 'ffmpeg' | 'ffprobe'): string {
  const known = found.get(name) ?? process.env[`${name.toUpperCase()}_PATH`];
  if (known) return known;
  if (!runs(name)) installDebianPackage('ffmpeg');
  const path = runs(name) ? name : standIn(name);
  if (!runs(path)) throw new Error(`The tests need ${name} (apt-get install ffmpeg, or npm run build)`);
  found.set(name, path);
  return path;
}

/**
 * `describe` for tests whose samples need encoders or measurements that the ffmpeg of Vitrine lacks, if the system's ffmpeg is
 * there. If it is missing and we are root, it is installed. Otherwise the suite is skipped with the reason in its name, or
 * fails if `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithFfmpeg(name: string, suite: () => void): void {
  const missing = 'the system has no ffmpeg (apt-get install ffmpeg)';
  describeUnless(findFfmpeg().startsWith(SCRIPTS) ? missing : null, name, suite);
}

const runs = (path: string): boolean => spawnSync(path, ['-version'], { stdio: 'ignore' }).status === 0;

/** A script that runs the stand-in, for what expects the path of one program. */
function standIn(name: string): string {
  mkdirSync(SCRIPTS, { recursive: true });
  const path = join(SCRIPTS, name);
  const written = `${path}.${process.pid}`;
  writeFileSync(written, `#!/bin/sh\nexec '${process.execPath}' '${STAND_IN}' ${name} "$@"\n`, {
    mode: 0o755,
  });
  // Test files that run at the same time see either no script or a whole one.
  renameSync(written, path);
  return path;
}
