import { execFileSync } from 'node:child_process';

/**
 * Installs a package of the system's, without its service being started. Does nothing where we aren't root or can't:
 * the caller then says what is missing.
 */
export function installDebianPackage(name: string): void {
  if (process.getuid?.() !== 0) return;
  try {
    // systemd's and sysvinit's units do not start while the policy script answers 101.
    execFileSync(
      'sh',
      [
        '-c',
        `p=/usr/sbin/policy-rc.d
         if [ ! -e $p ]; then printf '#!/bin/sh\\nexit 101\\n' > $p && chmod 755 $p && trap "rm -f $p" EXIT; fi
         apt-get update -qq && apt-get install -y -qq --no-install-recommends "$0"`,
        name,
      ],
      { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 180_000 },
    );
  } catch {
    // Not Debian, or no network.
  }
}
