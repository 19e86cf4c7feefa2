import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { canEnter, postgresUser } from './system-user';

/** For root's data folders that no other user can enter, such as those below /root. */
const ELSEWHERE = '/var/lib/vitrine';

/** Whether an embedded PostgreSQL has been created in a data folder. */
export const hasPostgres = (dataFolder: string): boolean =>
  statSync(join(dataFolder, 'postgres', 'cluster'), { throwIfNoEntry: false }) !== undefined;

/**
 * The folder of the embedded PostgreSQL of a data folder: `postgres` in it. If root's PostgreSQL (which runs
 * as another user) can't reach that, another folder, to which a link with that name points.
 */
export function postgresFolder(dataFolder: string): string {
  const folder = join(dataFolder, 'postgres');
  const present = lstatSync(folder, { throwIfNoEntry: false });
  if (present?.isSymbolicLink()) return readlinkSync(folder);
  if (present || canEnter(postgresUser(join(folder, 'cluster')), dataFolder)) return folder;

  const elsewhere = join(ELSEWHERE, randomBytes(8).toString('hex'));
  mkdirSync(elsewhere, { recursive: true, mode: 0o711 });
  symlinkSync(elsewhere, folder);
  return elsewhere;
}
