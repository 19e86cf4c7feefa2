import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { installDebianPackage } from './debian-package';
import { describeUnless } from './describe-unless';

const DEBIAN_CHROMIUM = '/usr/bin/chromium';

/** Headless and alone: no look at the network of its own, and no second protocol besides TCP. */
const FLAGS = [
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Runs the browser and removes its folder when it has ended. The browser ends by itself when the pipe on which it is
 * told what to do closes, so nothing stays behind a killed test either.
 */
const GUARD = `#!/bin/sh
for argument; do case $argument in --user-data-dir=*) profile=\${argument#*=} ;; esac; done
"$VITRINE_CHROMIUM" "$@"
status=$?
rm -rf "$HOME" "$profile"
exit $status
`;

/** `CHROMIUM_PATH`, the one on the PATH, or Debian's, which is installed where we are root and it is missing. */
function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return existsSync(named) ? named : undefined;
  const installed = (): string | undefined =>
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'chromium'))
      .concat(DEBIAN_CHROMIUM)
      .find((path) => existsSync(path));
  if (!installed()) installDebianPackage('chromium');
  return installed();
}

/**
 * `describe` where Chromium can be started. Elsewhere it skips with the reason in the suite's name, and fails where
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithChromium(name: string, suite: () => void): void {
  const missing = 'Chromium is not installed (apt-get install chromium, or set CHROMIUM_PATH)';
  describeUnless(findChromium() ? null : missing, name, suite);
}

/** Starts a browser with an empty profile of its own; takes about a second. Throws where there is no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const program = findChromium();
  if (!program) throw new Error('Chromium is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-chromium-'));
  const guard = join(folder, 'chromium.sh');
  await writeFile(guard, GUARD, { mode: 0o755 });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await chromium.launch({
      executablePath: guard,
      args: FLAGS,
      env: { ...process.env, VITRINE_CHROMIUM: program, HOME: folder, TMPDIR: folder },
      artifactsDir: join(folder, 'artifacts'),
      timeout: 60_000,
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
