import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Held while apt runs: test files that need different packages start at the same time, and apt refuses the second. */
const LOCK = join(tmpdir(), 'vitrine-apt.lock');

/**
 * Installs a Debian package and does not start its service. Does nothing if the process is not root, or if apt is
 * missing or fails; the caller then reports what is missing.
 */
export function installDebianPackage(name: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    // systemd's and sysvinit's units do not start while the policy script answers 101.
    execFileSync(
      'flock',
      [
        LOCK,
        'sh',
        '-c',
        `p=/usr/sbin/policy-rc.d
         if [ ! -e $p ]; then printf '#!/bin/sh\\nexit 101\\n' > $p && chmod 755 $p && trap "rm -f $p" EXIT; fi
         apt-get update -qq && apt-get install -y -qq --no-install-recommends "$0"`,
        name,
      ],
      { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 },
    );
  } catch {
    // Not Debian, or no network.
  }
}
