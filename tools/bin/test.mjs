// Runs tests; the last line is "N passed, N failed".
//   npm test                  every test, also from a fresh clone
//   npm test -- NAME …        the test files whose path matches; further options go to Jest
//   npm run test:unit         the test files that need no database, process, browser or build
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { BLACK_BOX } from './unit-tests.mjs';
import {
  build,
  buildClientModule,
  command,
  CommandError,
  install,
  node,
  root,
  run,
  stopRequests,
} from './workspace.mjs';

/** Programs of the system that the tests start. As root on Debian, missing ones are installed. */
const PROGRAMS = [
  { name: 'ffmpeg', option: '-version', from: 'ffmpeg', path: process.env.FFMPEG_PATH, needed: true },
  { name: 'ffprobe', option: '-version', from: 'ffmpeg', path: process.env.FFPROBE_PATH, needed: true },
  { name: 'bwrap', option: '--version', from: 'bubblewrap' },
  { name: 'heif-convert', option: '--version', from: 'libheif-examples' },
  // Chromium itself is enough too, but each new context costs it five times as much.
  {
    name: 'chromium-headless-shell',
    option: '--version',
    from: 'chromium-headless-shell',
    instead: process.env.CHROMIUM_PATH || 'chromium',
  },
];

const ONLY_UNIT_TESTS = `--filter=${join(root, 'tools/jest/only-unit-tests.cjs')}`;

await command(async () => {
  const { interrupted } = stopRequests();
  const unit = process.argv[2] === '--unit';
  const selection = unit ? [ONLY_UNIT_TESTS, ...process.argv.slice(3)] : process.argv.slice(2);
  try {
    await install({ signal: interrupted });
    const everything = selection.length === 0;
    const chosen = everything ? [] : testFiles(selection);
    if (!everything && chosen.length === 0) throw new CommandError('No test file matches.');
    if (everything || chosen.some((file) => BLACK_BOX.test(file))) {
      await build({ signal: interrupted });
      await buildClientModule({ signal: interrupted });
      await requirePrograms();
    }
  } catch (error) {
    // The last line must not look like a good run when no test has run.
    if (error instanceof CommandError && error.message) {
      process.stderr.write(`${error.message}\n`);
      conclude(unfinished('npm test'));
      return;
    }
    throw error;
  }

  if (unit) process.env.VITRINE_TEST_WITHOUT_POSTGRES = 'true';
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-jest-'));
  try {
    const report = join(folder, 'counts.json');
    process.env.VITRINE_TEST_COUNTS = report;
    const reporters = ['default', join(root, 'tools/jest/counts-reporter.cjs')];
    // Jest treats every word after `--reporters` as another reporter.
    const all = [...selection, ...reporters.map((name) => `--reporters=${name}`)];
    conclude(counts(report, await run(node('jest/bin/jest.js'), all, { signal: interrupted })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The paths of the test files, from the workspace's root, that Jest would run with these arguments. */
function testFiles(args) {
  const [program, ...first] = node('jest/bin/jest.js');
  const { stdout, status, stderr } = spawnSync(program, [...first, '--listTests', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) throw new CommandError(`Jest could not list the tests:\n${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => /\.spec\.tsx?$/.test(line))
    .map((path) => relative(root, path));
}

/** The result of each test file. A run that ended with an error although no test failed counts as a failure. */
function counts(report, code) {
  try {
    const files = JSON.parse(readFileSync(report, 'utf8'));
    const failed = Object.values(files).some(({ failures }) => failures.length > 0);
    return code === 0 || failed ? files : { ...files, ...unfinished('Jest') };
  } catch {
    return unfinished('Jest');
  }
}

function unfinished(name) {
  return { [name]: { passed: 0, skipped: 0, failures: ['ended too early'] } };
}

/** At the end of a long output, lists the tests that failed, and prints the counts. */
function conclude(files) {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const [file, result] of Object.entries(files)) {
    passed += result.passed;
    failed += result.failures.length;
    skipped += result.skipped;
    for (const name of result.failures) console.log(`Failed: ${file} › ${name}`);
  }
  const lost = process.env.CI === 'true' && skipped > 0;
  if (lost) process.stderr.write('Skipped tests count as failures if CI=true.\n');
  if (failed > 0 || lost) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}

/** Throws if a program is missing that too many tests need; if CI=true, every program is needed. */
async function requirePrograms() {
  const starts = (program, option) => spawnSync(program, [option]).error === undefined;
  const isMissing = ({ name, option, path }) => !starts(path || name, option);
  const { installDebianPackage } = await import('../../libs/testing/dist/programs/debian-package.js');
  for (const from of new Set(PROGRAMS.filter(isMissing).map((program) => program.from)))
    installDebianPackage(from);
  const missing = PROGRAMS.filter(
    (program) => isMissing(program) && !(program.instead && starts(program.instead, program.option)),
  );
  const words = missing.map(({ name, from }) => `${name} (Debian: apt install ${from})`).join(', ');
  if (missing.some(({ needed }) => needed || process.env.CI === 'true')) {
    throw new CommandError(`The tests need ${words}.`);
  }
  if (missing.length > 0)
    process.stderr.write(`NOT INSTALLED: ${words}. The tests that need them do not run.\n`);
}
