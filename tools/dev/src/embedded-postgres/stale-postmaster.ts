import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresError } from './postgres-error';

const PATIENCE_MS = 30_000;

/**
 * Prepares the start of a cluster that may not have been shut down: stops a postmaster that a killed run
 * left behind, and removes a pid file that names a dead process, a zombie or another program. (PostgreSQL itself removes
 * only the first kind, and refuses to start with the others.)
 */
export async function clearStalePostmaster(cluster: string): Promise<void> {
  const pid = pidInFile(cluster);
  if (pid === undefined || process.platform !== 'linux') return;
  const folder = realpathSync(cluster);
  if (worksIn(pid, folder)) stop(pid, 'SIGINT');
  // Backends outlive a killed postmaster for a moment; old and new backends together would destroy the data.
  const deadline = Date.now() + PATIENCE_MS;
  while (anyProcessWorksIn(folder)) {
    if (Date.now() > deadline) {
      throw new PostgresError(
        `Another PostgreSQL (process ${pid}) still uses ${folder}. Stop it and try again.`,
      );
    }
    await pause(25);
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

function pidInFile(cluster: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function anyProcessWorksIn(folder: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && worksIn(Number(name), folder));
}

/** Every PostgreSQL process has its cluster as its working folder; a zombie has none. */
function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

function stop(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just ended.
  }
}
