// Bundles the scripts and styles: each entry of browser/ and styles/ goes to dist/assets under a name with a hash, and
// dist/assets/manifest.json maps entries to files. With --watch it rebuilds on changes.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { context } from 'esbuild';

const here = import.meta.dirname;
const output = join(here, 'dist/assets');

const entriesIn = (folder, extension) =>
  readdirSync(join(here, folder))
    .filter((name) => name.endsWith(extension) && statSync(join(here, folder, name)).isFile())
    .map((name) => join(here, folder, name));

/** Writes the manifest and removes the files of older builds. */
const manifest = {
  name: 'manifest',
  setup(build) {
    build.onEnd(({ metafile, errors }) => {
      if (errors.length > 0 || !metafile) return;
      const files = Object.entries(metafile.outputs)
        .filter(([, { entryPoint }]) => entryPoint)
        .map(([file, { entryPoint }]) => [basename(entryPoint).replace(/\.ts$/, '.js'), basename(file)]);
      const kept = new Set(['manifest.json', ...Object.keys(metafile.outputs).map((file) => basename(file))]);
      for (const name of readdirSync(output)) if (!kept.has(name)) rmSync(join(output, name));
      const path = join(output, 'manifest.json');
      writeFileSync(`${path}.new`, `${JSON.stringify(Object.fromEntries(files), null, 2)}\n`);
      renameSync(`${path}.new`, path);
    });
  },
};

/** Imports of `*.css.mjs` are the stylesheet that the module exports. */
const computedStyles = {
  name: 'computed styles',
  setup(build) {
    build.onLoad({ filter: /\.css\.mjs$/ }, async ({ path }) => ({
      contents: (await import(path)).default,
      loader: 'css',
    }));
  },
};

mkdirSync(output, { recursive: true });
const build = await context({
  absWorkingDir: here,
  entryPoints: [...entriesIn('browser', '.ts'), ...entriesIn('styles', '.css')].map((path) =>
    relative(here, path),
  ),
  outdir: output,
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  metafile: true,
  legalComments: 'none',
  conditions: ['@vitrine/source'],
  target: ['chrome115', 'firefox121', 'safari17'],
  logLevel: 'warning',
  plugins: [manifest, computedStyles],
});
try {
  await build.rebuild();
  if (process.argv.includes('--watch')) await build.watch();
  else await build.dispose();
} catch {
  // esbuild has already printed the error.
  await build.dispose();
  process.exitCode = 1;
}
