import { parse, Setting, type Environment } from '@vitrine/runtime';

/** Where objects are kept. */
export class StorageConfig {
  @Setting({
    env: 'STORAGE_URL',
    why: 'Where files are stored: a folder as file:///absolute/path; unset: the folder objects in VITRINE_DATA_DIR.',
    parse: parse.url('file'),
    default: (env: Environment) => `file://${env['VITRINE_DATA_DIR'] || `${process.cwd()}/.data`}/objects`,
    example: 'file:///var/lib/vitrine/objects',
  })
  url!: string;
}
