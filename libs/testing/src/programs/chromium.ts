import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { installDebianPackage } from './debian-package';
import { describeUnless } from './describe-unless';
import { PATIENCE_MS } from '../waiting/eventually';

/** In order of preference. A new context costs the shell without a user interface 60 ms of CPU time, Chromium 300 ms. */
const PROGRAMS = ['chromium-headless-shell', 'chromium'];
/** The folder of Debian's programs, which the PATH may lack. */
const DEBIAN_FOLDER = '/usr/bin';

/** The browser sends no requests by itself, and uses TCP only. */
const FLAGS = [
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Runs the browser and removes its folder after it has ended. The browser ends when its command pipe closes, so a killed
 * test leaves nothing behind either.
 */
const GUARD = `#!/bin/sh
for argument; do case $argument in --user-data-dir=*) profile=\${argument#*=} ;; esac; done
"$VITRINE_CHROMIUM" "$@"
status=$?
rm -rf "$HOME" "$profile"
exit $status
`;

/** `CHROMIUM_PATH`, the one on the PATH, or Debian's. If it is missing and we are root, it is installed. */
function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return existsSync(named) ? named : undefined;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), DEBIAN_FOLDER];
  const installed = (): string | undefined =>
    PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program))).find((path) =>
      existsSync(path),
    );
  for (const program of PROGRAMS) if (!installed()) installDebianPackage(program);
  return installed();
}

/**
 * `describe` if Chromium can be started. Otherwise the suite is skipped with the reason in its name, or fails if
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithChromium(name: string, suite: () => void): void {
  const missing = 'Chromium is not installed (apt-get install chromium-headless-shell, or set CHROMIUM_PATH)';
  describeUnless(findChromium() ? null : missing, name, suite);
}

/** Starts a browser with a new, empty profile; takes about a second. Throws if there is no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const program = findChromium();
  if (!program) throw new Error('Chromium is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-chromium-'));
  const guard = join(folder, 'chromium.sh');
  await writeFile(guard, GUARD, { mode: 0o755 });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    // Loaded on demand: most tests that use this library need no browser.
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath: guard,
      args: FLAGS,
      env: { ...process.env, VITRINE_CHROMIUM: program, HOME: folder, TMPDIR: folder },
      artifactsDir: join(folder, 'artifacts'),
      timeout: PATIENCE_MS,
    });
    // An interrupted run kills the guard with its browser.
    const removeWithTests = (): void => rmSync(folder, { recursive: true, force: true });
    process.once('exit', removeWithTests);
    browser.once('disconnected', () => {
      process.off('exit', removeWithTests);
      void remove();
    });
    return browser;
  } catch (error) {
    await remove();
    throw error;
  }
}
