import type { ChosenIsolation } from './choose-isolation';
import type { IsolationLevel } from './isolation';

/** How the decoders are isolated here, for the log and for the doctor. */
export interface IsolationReport {
  readonly level: IsolationLevel;
  /** One clause without a full stop. */
  readonly found: string;
  /** How to get better isolation, in one sentence; empty if nothing is missing. */
  readonly advice: string;
}

const FOUND: Readonly<Record<IsolationLevel, string>> = {
  sandbox:
    'decoders run in a sandbox without privileges and network, and see neither other processes nor other files',
  namespaces:
    'decoders run without privileges and network, and see neither other processes nor other files, but reach the whole kernel',
  user: 'decoders run as another user without privileges, but reach the network and see other processes',
  none: 'decoders run as this user, reach the network and see other processes and files',
};

/** Describes the chosen isolation, and why no better one was chosen. */
export function describeIsolation({ isolation, refused }: ChosenIsolation): IsolationReport {
  const { level, by } = isolation;
  const found = `${FOUND[level]} (${by})`;
  if (level === 'sandbox') return { level, found, advice: '' };
  const tried = refused.length > 0 ? ` Tried: ${refused.join('; ')}.` : '';
  return { level, found, advice: `${adviceFor(refused)}${tried}` };
}

function adviceFor(refused: readonly string[]): string {
  if (process.platform !== 'linux') return 'Vitrine can set up a sandbox only on Linux.';
  if (refused.some((reason) => /EACCES|MODULE_NOT_FOUND|Cannot find module/.test(reason))) {
    return 'Let other users read the installation (chmod -R go+rX on its folder).';
  }
  if (!refused.some((reason) => reason.startsWith('bubblewrap'))) {
    return 'Install bubblewrap (Debian: apt install bubblewrap).';
  }
  return 'Allow user namespaces (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns), or run where the container allows them.';
}
