import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { PostgresError } from './postgres-error';

/** A user and group of the system, by number. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/**
 * The user that runs PostgreSQL; undefined for the current user. PostgreSQL refuses to run as root: root runs it as
 * the owner of existing files, else as `nobody`.
 */
export function postgresUser(clusterFolder: string): SystemUser | undefined {
  if (!runsAsRoot()) return undefined;
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Whether the user can enter the folder. Asks the system, because file modes are not the only rules. */
export function canEnter(user: SystemUser | undefined, folder: string): boolean {
  return succeeds(user, 'cd "$1"', folder);
}

/** Whether the user can run the file. */
export function canRun(user: SystemUser | undefined, file: string): boolean {
  return succeeds(user, 'test -r "$1" && test -x "$1"', file);
}

function succeeds(user: SystemUser | undefined, script: string, path: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', script, 'sh', path], { cwd: '/', stdio: 'ignore', ...user }).status === 0
  );
}

function idOf(flag: '-u' | '-g'): number {
  const answer = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  const id = Number(answer.stdout);
  if (answer.status !== 0 || !Number.isInteger(id)) {
    throw new PostgresError(
      'PostgreSQL can’t run as root, and this system has no user "nobody" to run it as.',
    );
  }
  return id;
}
