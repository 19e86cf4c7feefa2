import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canEnter, type SystemUser } from './system-user';

/** `sun_path` of the smallest system we run on (macOS), less the end of the string, less PostgreSQL's file name. */
const MAX_FOLDER_BYTES = 103 - '/.s.PGSQL.5432'.length;

export interface SocketFolder {
  readonly path: string;
  /** Made for this one run, to be removed after it. */
  readonly temporary: boolean;
}

/**
 * A private folder for PostgreSQL's socket: `preferred` where its path is short enough and its file system has
 * sockets, else a fresh one among the temporary files; undefined where neither works.
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
