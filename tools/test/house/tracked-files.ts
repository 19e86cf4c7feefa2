import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '..', '..', '..');

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The paths of the files that git tracks or would track, from the repository's root. Files that are deleted are left out. */
export function trackedFiles(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const paths = [...new Set(listed.split('\0'))].filter(Boolean);
  return paths.filter((path) => existsSync(join(root, path)));
}

/** Whether a source file is part of the tests: a spec, a contract suite, or what they use. */
export const isTest = (path: string): boolean =>
  /\.(spec|contract)\.[cm]?tsx?$/.test(path) ||
  /\/(test|testing|contract)\//.test(path.replace(/^libs\/testing\//, ''));
