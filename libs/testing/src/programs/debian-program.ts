import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackage } from './debian-package';

/** Debian keeps servers where only root's `PATH` looks. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/** The path of a program; undefined if it is missing. */
const findProgram = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...FOLDERS]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** The path of a program of a Debian package, which is installed if it is missing and we are root. Throws without it. */
export function debianProgram(name: string, packageName = name): string {
  if (!findProgram(name)) installDebianPackage(packageName);
  const path = findProgram(name);
  if (!path) throw new Error(`${name} is not installed (apt-get install ${packageName})`);
  return path;
}

/** Why a program can't be started, for `describeUnless`; null if it can. Installs it as `debianProgram` does. */
export function whyMissing(name: string, packageName = name): string | null {
  try {
    debianProgram(name, packageName);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Why a file of a Debian package is missing, for `describeUnless`; null if it is there. Installs it as `debianProgram` does. */
export function whyFileMissing(path: string, packageName: string): string | null {
  if (!existsSync(path)) installDebianPackage(packageName);
  return existsSync(path) ? null : `${path} is missing (apt-get install ${packageName})`;
}
