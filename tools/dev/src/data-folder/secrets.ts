import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file';

const NAMES = [
  'superuserPassword',
  'databasePassword',
  'busPassword',
  'siteServiceKey',
  'accountSecretsKey',
] as const;

/** The secrets that the embedded default generates at its first start. Nobody needs to know them. */
export type Secrets = Readonly<Record<(typeof NAMES)[number], string>>;

/** Reads the secrets from the data folder, and generates missing ones. */
export function loadSecrets(dataFolder: string): Secrets {
  const file = join(dataFolder, 'secrets.json');
  const kept = read(file);
  if (NAMES.every((name) => kept[name])) return kept as Secrets;
  const complete = Object.fromEntries(
    NAMES.map((name) => [name, kept[name] ?? randomBytes(32).toString('base64url')]),
  ) as Secrets;
  writePrivateFile(file, JSON.stringify(complete, null, 2));
  return complete;
}

function read(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
