// npm test: every test, from a fresh clone too. Further arguments go to Jest. Last line: "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, CommandError, node, prepare, root, run, stopRequests } from './workspace.mjs';

await command(async () => {
  const { interrupted } = stopRequests();
  try {
    await prepare({ signal: interrupted });
    requireVideoTools();
  } catch (error) {
    // Whoever reads only the last line must not take a run that never began for a good one.
    if (error instanceof CommandError && error.message) {
      process.stderr.write(`${error.message}\n`);
      conclude({ passed: 0, failed: 1, skipped: 0 });
      return;
    }
    throw error;
  }

  const folder = mkdtempSync(join(tmpdir(), 'vitrine-jest-'));
  const report = join(folder, 'counts.json');
  try {
    process.env.VITRINE_TEST_COUNTS = report;
    const reporters = ['default', join(root, 'tools/jest/counts-reporter.cjs')];
    // Jest takes every word that follows a reporter for another one.
    const args = [...process.argv.slice(2), ...reporters.map((name) => `--reporters=${name}`)];
    const code = await run(node('jest/bin/jest.js'), args, { signal: interrupted });
    conclude(counts(report, code));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A suite that couldn't be loaded, and a run that failed for another reason, count as a failed test each. */
function counts(report, code) {
  try {
    const { passed, failed, skipped } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function conclude({ passed, failed, skipped }) {
  const lost = process.env.CI === 'true' && skipped > 0;
  if (lost) process.stderr.write('Skipped tests count as failures where CI=true.\n');
  if (failed > 0 || lost) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}

/** The system's ffmpeg, or the one from npm, whose install script may not have made it executable. */
function requireVideoTools() {
  for (const name of ['ffmpeg', 'ffprobe']) {
    if (spawnSync(process.env[`${name.toUpperCase()}_PATH`] || name, ['-version']).status === 0) continue;
    const packaged = packagedTool(name);
    if (!packaged) {
      throw new CommandError(`The tests need ${name}: install your system's ffmpeg, or set FFMPEG_PATH.`);
    }
    try {
      accessSync(packaged, constants.X_OK);
    } catch {
      chmodSync(packaged, 0o755);
    }
  }
}

function packagedTool(name) {
  try {
    return createRequire(join(root, 'package.json'))(`@${name}-installer/${name}`).path;
  } catch {
    return undefined;
  }
}
