import { execFileSync } from 'node:child_process';

/** The output of a command of git in `root`, without the last line break. Throws what git says if it fails. */
export function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).trimEnd();
}

/** The lines of an output. */
export const names = (output: string): string[] => output.split('\n').filter(Boolean);

/** The files of the repository. */
export const tracked = (root: string): string[] => names(git(root, 'ls-files'));
