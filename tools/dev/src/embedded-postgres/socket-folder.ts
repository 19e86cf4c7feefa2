import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canEnter, type SystemUser } from './system-user';

/** The smallest `sun_path` of the supported systems (macOS), minus the terminating byte and PostgreSQL's file name. */
const MAX_FOLDER_BYTES = 103 - '/.s.PGSQL.5432'.length;

export interface SocketFolder {
  readonly path: string;
  /** The folder was created for this run and must be removed after it. */
  readonly temporary: boolean;
}

/**
 * A private folder for PostgreSQL's socket: `preferred` if its path is short enough and its file system supports
 * sockets, else a new folder among the temporary files; undefined if neither works.
 */
export async function socketFolder(
  preferred: string,
  user: SystemUser | undefined,
  temporaryFiles = tmpdir(),
): Promise<SocketFolder | undefined> {
  mkdirSync(preferred, { recursive: true, mode: 0o700 });
  if (await isUsable(preferred, user)) return { path: preferred, temporary: false };
  const temporary = mkdtempSync(join(temporaryFiles, 'vitrine-'));
  if (await isUsable(temporary, user)) return { path: temporary, temporary: true };
  rmSync(temporary, { recursive: true, force: true });
  return undefined;
}

async function isUsable(folder: string, user: SystemUser | undefined): Promise<boolean> {
  if (Buffer.byteLength(folder) > MAX_FOLDER_BYTES) return false;
  if (user) chownSync(folder, user.uid, user.gid);
  return canEnter(user, folder) && (await takesSockets(folder));
}

function takesSockets(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(join(folder, '.probe'), () => server.close(() => resolve(true)));
  });
}
