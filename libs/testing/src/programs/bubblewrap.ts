import { spawnSync } from 'node:child_process';
import { describeUnless } from './describe-unless';
import { installDebianPackage } from './debian-package';

const runs = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0;

/**
 * `describe` if bubblewrap can make a sandbox. If bubblewrap is missing and we are root, it is installed. Otherwise the
 * suite is skipped with the reason in its name, or fails if `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithBubblewrap(name: string, suite: () => void): void {
  if (!runs()) installDebianPackage('bubblewrap');
  const missing = 'bubblewrap does not run (apt-get install bubblewrap; user namespaces allowed)';
  describeUnless(runs() ? null : missing, name, suite);
}
