import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { declaredSettings } from '@vitrine/runtime';
import { renderSettings } from './render';

const ROOT = resolve(__dirname, '../../..');
const FILE = join(ROOT, '.env.example');

/** Loading a configuration class declares its settings. The processes come last: their words for a setting stand. */
function loadConfigurations(): void {
  const load = createRequire(__filename);
  for (const project of ['tools', ...projectsIn('libs'), ...projectsIn('apps')]) {
    const sources = readdirSync(join(ROOT, project, 'src'), { recursive: true, encoding: 'utf8' });
    for (const source of sources.filter((path) => path.endsWith('.config.ts')).sort()) {
      load(join(ROOT, project, 'dist', source.replace(/\.ts$/, '.js')));
    }
  }
}

function projectsIn(group: string): string[] {
  return readdirSync(join(ROOT, group))
    .map((name) => join(group, name))
    .filter((project) => existsSync(join(ROOT, project, 'src')))
    .sort();
}

loadConfigurations();
const expected = renderSettings(declaredSettings());
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, expected);
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== expected) {
  process.stderr.write('.env.example is not what the configuration classes say. Run: npm run env:example\n');
  process.exitCode = 1;
}
