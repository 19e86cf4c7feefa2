import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The workspace's root, in a checkout and in the image. */
const ROOT = resolve(__dirname, '../../../..');

/** Programs, libraries and fonts of the system. Not all of /usr, because some installations keep data there. */
const SYSTEM = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32', 'libexec', 'share'].map((name) => `/usr/${name}`),
  ...['bin', 'lib', 'share'].map((name) => `/usr/local/${name}`),
  ...['/nix/store', '/home/linuxbrew/.linuxbrew'],
  ...['/etc/alternatives', '/etc/fonts', '/etc/ld.so.cache', '/etc/localtime', '/etc/ssl/openssl.cnf'],
] as const;

/** The code of a worker: the packages, this service and the libraries, without settings and data. */
const OWN = ['node_modules', 'libs', 'apps/media-processor', 'package.json'].map((name) => join(ROOT, name));

/** The paths of the file system that an isolated worker can read: absolute paths that exist. */
export function shownPaths(programs: readonly string[]): readonly string[] {
  const paths = [...SYSTEM, ...OWN];
  for (const program of [process.execPath, ...programs]) {
    for (const path of new Set([program, realOr(program)])) {
      if (path.startsWith('/') && !paths.some((shown) => path.startsWith(`${shown}/`))) paths.push(path);
    }
  }
  return [...new Set(paths)].filter((path) => existsSync(path));
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
