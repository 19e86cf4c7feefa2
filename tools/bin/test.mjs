// npm test: every test, from a fresh clone too. Further arguments go to Jest. Last line: "N passed, N failed".
// Where CI=true, the few files in which a test failed are run once more, alone: what passes then was disturbed by what
// ran beside it. It is named as such, for somebody to mend, and does not fail the run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, CommandError, node, prepare, root, run, stopRequests } from './workspace.mjs';

/** Where more fails than this, it isn't what ran beside it; and a build that failed should say so before long. */
const TRIED_AGAIN = { files: 5, seconds: 240 };

/** Programs of the system that the tests start. As root on Debian, missing ones are installed. */
const PROGRAMS = [
  { name: 'ffmpeg', option: '-version', from: 'ffmpeg', path: process.env.FFMPEG_PATH, needed: true },
  { name: 'ffprobe', option: '-version', from: 'ffmpeg', path: process.env.FFPROBE_PATH, needed: true },
  { name: 'bwrap', option: '--version', from: 'bubblewrap' },
  { name: 'heif-convert', option: '--version', from: 'libheif-examples' },
];

await command(async () => {
  const { interrupted } = stopRequests();
  try {
    await prepare({ signal: interrupted });
    await requirePrograms();
  } catch (error) {
    // Whoever reads only the last line must not take a run that never began for a good one.
    if (error instanceof CommandError && error.message) {
      process.stderr.write(`${error.message}\n`);
      conclude(unfinished('npm test'));
      return;
    }
    throw error;
  }

  const folder = mkdtempSync(join(tmpdir(), 'vitrine-jest-'));
  const jest = async (args) => {
    const report = join(folder, 'counts.json');
    process.env.VITRINE_TEST_COUNTS = report;
    rmSync(report, { force: true });
    const reporters = ['default', join(root, 'tools/jest/counts-reporter.cjs')];
    // Jest takes every word that follows a reporter for another one.
    const all = [...args, ...reporters.map((name) => `--reporters=${name}`)];
    return counts(report, await run(node('jest/bin/jest.js'), all, { signal: interrupted }));
  };
  try {
    const files = await jest(process.argv.slice(2));
    const failed = Object.keys(files).filter(
      (file) => existsSync(join(root, file)) && hasFailed(files[file]),
    );
    const seconds = failed.reduce((sum, file) => sum + files[file].seconds, 0);
    const tooMuch = failed.length > TRIED_AGAIN.files || seconds > TRIED_AGAIN.seconds;
    if (process.env.CI !== 'true' || failed.length === 0 || tooMuch) {
      conclude(files);
      return;
    }
    console.log(`\nOnce more, alone: ${failed.join(', ')}`);
    const again = await jest(['--runInBand', '--runTestsByPath', ...failed]);
    for (const file of failed.filter((file) => again[file] && !hasFailed(again[file]))) {
      for (const name of files[file].failures)
        console.log(`Failed at first, passed alone: ${file} › ${name}`);
    }
    conclude({ ...files, ...again });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What each test file came to; a run that failed for another reason has failed by itself. */
function counts(report, code) {
  try {
    const files = JSON.parse(readFileSync(report, 'utf8'));
    return code === 0 || Object.values(files).some(hasFailed) ? files : { ...files, ...unfinished('Jest') };
  } catch {
    return unfinished('Jest');
  }
}

function hasFailed({ failures }) {
  return failures.length > 0;
}

function unfinished(name) {
  return { [name]: { passed: 0, skipped: 0, seconds: 0, failures: ['ended before its time'] } };
}

/** Names what failed, so that nobody has to look for it in a long output, and counts. */
function conclude(files) {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const [file, result] of Object.entries(files)) {
    passed += result.passed;
    failed += result.failures.length;
    skipped += result.skipped;
    for (const name of result.failures) console.log(`Failed: ${file} › ${name}`);
  }
  const lost = process.env.CI === 'true' && skipped > 0;
  if (lost) process.stderr.write('Skipped tests count as failures where CI=true.\n');
  if (failed > 0 || lost) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}

/** Throws if a program is missing that too many tests need; if CI=true, every program is needed. */
async function requirePrograms() {
  const isMissing = ({ name, option, path }) => spawnSync(path || name, [option]).error !== undefined;
  const { installDebianPackage } = await import('../../libs/testing/dist/debian-package.js');
  for (const from of new Set(PROGRAMS.filter(isMissing).map((program) => program.from)))
    installDebianPackage(from);
  const missing = PROGRAMS.filter(isMissing);
  const words = missing.map(({ name, from }) => `${name} (Debian: apt install ${from})`).join(', ');
  if (missing.some(({ needed }) => needed || process.env.CI === 'true')) {
    throw new CommandError(`The tests need ${words}.`);
  }
  if (missing.length > 0)
    process.stderr.write(`NOT INSTALLED: ${words}. The tests that need them do not run.\n`);
}
