import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const folder = resolve(__dirname, '..');

describe('the package @vitrine/client', () => {
  it('contains its exports and no tests', () => {
    const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [packed] = JSON.parse(listing) as [{ files: { path: string }[] }];
    const files = packed.files.map(({ path }) => path);
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/index.mjs',
        'dist/index.d.mts',
        'src/index.ts',
      ]),
    );
    expect(files.filter((path) => /\.spec\.|^test\/|tsbuildinfo/.test(path))).toEqual([]);
  });

  it('is at most 9 kB in a page, minified and compressed', () => {
    const { outputFiles } = buildSync({
      entryPoints: [resolve(folder, 'dist/index.mjs')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(9000);
  });

  it('has no dependencies, and works with require and import', () => {
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
