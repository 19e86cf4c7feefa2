// Runs tests; the last line is "N passed, N failed".
//   npm test                  the everyday half, also from a fresh clone
//   npm run test:all          the drills (`*.drill.spec.ts`) too
//   npm test -- NAME …        the test files of both halves whose path matches; further options go to Jest
//   npm run test:unit         the test files that need no database, process, browser or build
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { command, CommandError, install, node, root, run, stopRequests } from './workspace.mjs';

/** Jest's options for `npm test`. An option of the command line replaces that of `jest.config.cjs`. */
const EVERYDAY = ['/node_modules/', '/dist/', '\\.drill\\.spec\\.tsx?$'].map(
  (pattern) => `--testPathIgnorePatterns=${pattern}`,
);
const HALVES = { '--all': [], '--unit': [`--filter=${join(root, 'tools/jest/only-unit-tests.cjs')}`] };

await command(async () => {
  const { interrupted } = stopRequests();
  const [half, ...names] = process.argv.slice(2);
  const selection = half === undefined ? EVERYDAY : [...(HALVES[half] ?? [half]), ...names];
  if (half === '--unit') process.env.VITRINE_TEST_WITHOUT_POSTGRES = 'true';
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-jest-'));
  try {
    await install({ signal: interrupted });
    const report = join(folder, 'results.json');
    const options = ['--json', `--outputFile=${report}`, ...selection];
    const code = await run(node('jest/bin/jest.js'), options, { signal: interrupted });
    conclude(resultsOf(report, code));
  } catch (error) {
    if (!(error instanceof CommandError) || !error.message) throw error;
    // The last line must not look like a good run when no test has run.
    process.stderr.write(`${error.message}\n`);
    conclude(unfinished('npm test'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The tests of each file as Jest reports them. A failure outside of any test counts as one more failed test. */
function resultsOf(report, code) {
  let files;
  try {
    files = JSON.parse(readFileSync(report, 'utf8')).testResults;
  } catch {
    return unfinished('Jest');
  }
  const results = files.flatMap(({ name, status, assertionResults: tests }) => {
    const file = relative(root, name);
    const outside = status === 'failed' && !tests.some((test) => test.status === 'failed');
    return [
      ...tests.map((test) => ({ ...test, file })),
      ...(outside ? [{ file, status: 'failed', fullName: 'outside of its tests' }] : []),
    ];
  });
  const explained = code === 0 || results.some(({ status }) => status === 'failed');
  return explained ? results : [...results, ...unfinished('Jest')];
}

function unfinished(name) {
  return [{ file: name, status: 'failed', fullName: 'ended too early' }];
}

/** At the end of a long output, lists the suites that did not run and the tests that failed, and prints the counts. */
function conclude(results) {
  const having = (...statuses) => results.filter(({ status }) => statuses.includes(status));
  const [passed, failed, skipped] = [having('passed'), having('failed'), having('pending', 'todo')];
  for (const name of new Set(skipped.map(({ file, ancestorTitles }) => `${file} › ${ancestorTitles[0]}`)))
    console.log(`Skipped: ${name}`);
  for (const { file, fullName } of failed) console.log(`Failed: ${file} › ${fullName}`);
  const lost = process.env.CI === 'true' && skipped.length > 0;
  if (lost) process.stderr.write('Skipped tests count as failures if CI=true.\n');
  if (failed.length > 0 || lost) process.exitCode = 1;
  const more = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  console.log(`${passed.length} passed, ${failed.length} failed${more}`);
}
