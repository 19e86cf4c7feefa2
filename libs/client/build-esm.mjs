// Bundles the ES module of the package beside the CommonJS files that the compiler writes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;

await build({
  entryPoints: [join(here, 'src/index.ts')],
  outfile: join(here, 'dist/index.mjs'),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  logLevel: 'warning',
});
// The types of an ES module need a separate file; they are the same.
writeFileSync(join(here, 'dist/index.d.mts'), "export * from './index.js';\n");
