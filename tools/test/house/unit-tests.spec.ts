import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { valueImportsOf } from './imports';
import { read, root, trackedFiles } from './tracked-files';

/** The test files that `npm run test:unit` runs. */
function unitTests(): readonly string[] {
  const script = `
    import { readFileSync } from 'node:fs';
    import { isUnit } from './tools/bin/unit-tests.mjs';
    console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).filter(isUnit)));`;
  const files = trackedFiles().filter((path) => /\.spec\.tsx?$/.test(path));
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', input: JSON.stringify(files) }),
  ) as string[];
}

/** The files that a file imports directly or indirectly by relative paths, and itself. */
function reachedFrom(file: string, reached = new Set<string>()): ReadonlySet<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const path of valueImportsOf(file, read(file)).filter((each) => each.startsWith('.'))) {
    const target = join(dirname(file), path);
    const found = ['.ts', '.tsx', '/index.ts']
      .map((ending) => target + ending)
      .find((each) => existsSync(join(root, each)));
    if (found) reachedFrom(found, reached);
  }
  return reached;
}

describe('npm run test:unit', () => {
  const tests = unitTests();

  it('runs more than 110 test files', () => {
    expect(tests).toContain('libs/domain/src/sign-in/passwords/password-strength.spec.ts');
    expect(tests.length).toBeGreaterThan(110);
  });

  it('runs no test file that starts a database or a process through a file that it imports', () => {
    const starts = (path: string): boolean => valueImportsOf(path, read(path)).includes('@vitrine/testing');
    expect(tests.filter((test) => [...reachedFrom(test)].some(starts))).toEqual([]);
  });
});
