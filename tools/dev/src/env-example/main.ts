import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { contradictingSettings, declaredSettings } from '@vitrine/runtime';
import { configFilesOf, configurationClasses } from '@vitrine/admin';
import { renderSettings } from './render';

const ROOT = resolve(__dirname, '../../../..');
const FILE = join(ROOT, '.env.example');

/**
 * Loading a configuration class declares its settings. The classes of the processes are loaded last, so that their
 * descriptions of a setting are used.
 */
const load = createRequire(__filename);
for (const file of configFilesOf(join(ROOT, 'tools/dev/dist'))) load(file);
configurationClasses(ROOT);

const contradicting = contradictingSettings();
if (contradicting.length > 0) {
  process.stderr.write(`Declared differently in several places: ${contradicting.join(', ')}\n`);
  process.exitCode = 1;
}

const expected = renderSettings(declaredSettings());
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, expected);
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== expected) {
  process.stderr.write('.env.example differs from the configuration classes. Run: npm run env:example\n');
  process.exitCode = 1;
}
