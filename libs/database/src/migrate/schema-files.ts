import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from './migration';

/** The SQL files, beside `src` and `dist`. */
export const SCHEMA_FOLDER = join(__dirname, '..', '..', 'schema');
const MIGRATIONS_FOLDER = join(SCHEMA_FOLDER, 'migrations');

/** The name under which `schema_migrations` records that the schema files have run. */
export const BASELINE = 'baseline';

/** The schema files in the order in which they run: tables are made before the tables and triggers that refer to them. */
export const AREAS = [
  'accounts',
  'sign-in',
  'media',
  'posts',
  'feeds',
  'community',
  'moderation',
  'storage-use',
  'bus',
  'outgoing',
  'operation',
] as const;

const MODES = ['transaction', 'alone', 'batches'] as const;

/** The SQL of the schema files in `folder`. */
export const readSchema = (folder: string = SCHEMA_FOLDER): string =>
  AREAS.map((area) => readFileSync(join(folder, `${area}.sql`), 'utf8')).join('\n');

/**
 * The first step of an empty database. The schema files contain what the migrations change, so the step also records
 * the migrations.
 */
export const readBaseline = (): Migration => ({
  name: BASELINE,
  up: [readSchema(), ...readMigrations().map(({ name }) => recordOf(name))].join('\n'),
});

const recordOf = (name: string): string => `insert into schema_migrations (name) values ('${name}');`;

/**
 * The migrations after the baseline, in order: one SQL file each. Comments at its beginning may set the mode and the
 * repair: `-- mode: alone`, `-- repair: drop index concurrently if exists …`. Throws if a name or a mode is wrong.
 */
export function readMigrations(folder: string = MIGRATIONS_FOLDER): readonly Migration[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, name] = /^(\d{4}-[a-z0-9-]+)\.sql$/.exec(file) ?? [];
      if (!name) throw new Error(`${file} must be named like 0001-post-language.sql`);
      const up = readFileSync(join(folder, file), 'utf8');
      const repair = valueOf(up, 'repair');
      return { name, up, mode: modeOf(file, up), ...(repair !== undefined && { repair }) };
    });
}

function modeOf(file: string, up: string): (typeof MODES)[number] {
  const named = valueOf(up, 'mode') ?? 'transaction';
  const mode = MODES.find((each) => each === named);
  if (!mode) throw new Error(`${file}: the mode ${named} must be one of ${MODES.join(', ')}`);
  return mode;
}

const valueOf = (sql: string, name: string): string | undefined =>
  new RegExp(`^-- ${name}: (.+)$`, 'm').exec(sql)?.[1];
