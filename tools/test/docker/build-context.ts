import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './docker-build';

interface Pattern {
  readonly admits: boolean;
  readonly matches: RegExp;
}

/** Follows Docker's rule: the last pattern that matches a path, or a folder above it, decides. */
const patterns: readonly Pattern[] = readFileSync(join(ROOT, 'docker/Dockerfile.dockerignore'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ admits: line.startsWith('!'), matches: expression(line.replace(/^!/, '')) }));

function expression(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*\/|\*)/)
    .map((part) =>
      part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`);
}

/** Whether the build context contains this file; the path is relative to the repository's root. */
export function isInContext(path: string): boolean {
  const parts = path.split('/');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return patterns.reduce(
    (admitted, { admits, matches }) => (paths.some((each) => matches.test(each)) ? admits : admitted),
    true,
  );
}
