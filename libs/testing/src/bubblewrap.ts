import { spawnSync } from 'node:child_process';
import { describeUnless } from './describe-unless';
import { installDebianPackage } from './debian-package';

const runs = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0;

/**
 * `describe` where bubblewrap can make a sandbox; it is installed where we are root and it is missing. Elsewhere it
 * skips with the reason in the suite's name, and fails where `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithBubblewrap(name: string, suite: () => void): void {
  if (!runs()) installDebianPackage('bubblewrap');
  const missing = 'bubblewrap does not run (apt-get install bubblewrap; user namespaces allowed)';
  describeUnless(runs() ? null : missing, name, suite);
}
