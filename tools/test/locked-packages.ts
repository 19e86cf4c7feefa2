import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '..', '..');
export const LOCKFILE = join(root, 'package-lock.json');

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

/** A package of the lockfile with its folder. */
export interface Installed extends LockedPackage {
  readonly path: string;
  readonly name: string;
  readonly version: string;
}

const { packages } = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};
/** Every package of the lockfile, except our own. */
export const installed: Installed[] = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({
    ...entry,
    path,
    // An alias names its package itself.
    name: entry.name ?? path.split('node_modules/').at(-1) ?? '',
    version: entry.version ?? '',
  }));
/** Those that production needs. */
export const production = installed.filter(({ dev }) => !dev);

/** How messages name a package. */
export const label = ({ path, version }: Installed): string => `${path} ${version}`;
