import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Vitrine's version: every package of the workspace has the same one. */
export const VERSION = (
  JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }
).version;
