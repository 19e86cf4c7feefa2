import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(__dirname, '..');

describe('the package @vitrine/client', () => {
  it('holds what it exports, and no tests', () => {
    const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [packed] = JSON.parse(listing) as [{ files: { path: string }[] }];
    const files = packed.files.map(({ path }) => path);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts', 'src/index.ts']),
    );
    expect(files.filter((path) => /\.spec\.|^test\/|tsbuildinfo/.test(path))).toEqual([]);
  });

  it('needs nothing, and works for require and for import', () => {
    const { dependencies } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as {
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
    const node = (...args: string[]): string =>
      execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim();
    const use = 'console.log(typeof VitrineClient, typeof VitrineError)';
    const imported = `import { VitrineClient, VitrineError } from '@vitrine/client'; ${use}`;
    expect(node('--input-type=module', '-e', imported)).toBe('function function');
    expect(node('-e', `const { VitrineClient, VitrineError } = require('@vitrine/client'); ${use}`)).toBe(
      'function function',
    );
  });
});
