import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Vitrine's version, the same in all packages of the workspace. */
export const VERSION = (
  JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }
).version;
