import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, Setting, type Environment } from '@vitrine/runtime';

/** Where objects are kept. */
export class StorageConfig {
  @Setting({
    env: 'STORAGE_URL',
    why: 'Where files are stored: a folder as file:///absolute/path; unset: the folder objects in VITRINE_DATA_DIR.',
    parse: parse.url('file'),
    default: (env: Environment) => pathToFileURL(resolve(env['VITRINE_DATA_DIR'] || '.data', 'objects')).href,
    example: 'file:///var/lib/vitrine/objects',
  })
  url!: string;
}
