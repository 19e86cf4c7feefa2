import { linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writePrivateFile } from './private-file';
import { processBirth } from './process-identity';

export type Command = 'npm start' | 'npm run admin';

/** The process that uses the data folder, and how others reach what it runs. */
export interface Holder {
  readonly command: Command;
  readonly pid: number;
  readonly birth: string;
  /** The guard, which may still be stopping programs after the holder has died. */
  readonly guardPid?: number;
  readonly guardBirth?: string;
  /** Environment for a tool that uses the holder's database and bus; set when the database answers. */
  readonly environment?: Readonly<Record<string, string>>;
}

const HOLD_PATIENCE_MS = 60_000;

/** The data folder is in use; the message names the process. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
  constructor(
    dataFolder: string,
    readonly holder: Holder,
  ) {
    super(
      `${holder.command} (process ${holder.pid}) is running with the data folder ${dataFolder}. ` +
        'Stop it first, or choose another folder with VITRINE_DATA_DIR.',
    );
  }
}

/** The lock on a data folder. One process holds it at a time; a dead one's lock ends when its guard has finished. */
export class DataFolderLock {
  private constructor(
    private readonly file: string,
    private holder: Holder,
  ) {}

  /**
   * Takes the lock. Waits for a short command to end and for a dead holder's guard, at most a minute. Throws
   * `DataFolderInUseError` after that, and immediately when `npm start` is running.
   */
  static async acquire(dataFolder: string, command: Command, signal?: AbortSignal): Promise<DataFolderLock> {
    const file = lockFile(dataFolder);
    const self: Holder = { command, pid: process.pid, birth: processBirth(process.pid) ?? '' };
    const deadline = Date.now() + HOLD_PATIENCE_MS;
    for (;;) {
      if (create(file, self)) return new DataFolderLock(file, self);
      const other = readHolder(file);
      if (other && isBusy(other)) {
        const passing = other.command === 'npm run admin' || !isAlive(other.pid, other.birth);
        if (!passing || Date.now() > deadline) throw new DataFolderInUseError(dataFolder, other);
        signal?.throwIfAborted();
        await pause(50);
      } else {
        discard(file, other);
      }
    }
  }

  /** Publishes what other processes need to know about the holder. */
  publish(facts: Pick<Holder, 'environment'> & { guardPid?: number }): void {
    const { guardPid, ...rest } = facts;
    const guard = guardPid === undefined ? {} : { guardPid, guardBirth: processBirth(guardPid) };
    this.holder = { ...this.holder, ...rest, ...guard };
    writePrivateFile(this.file, JSON.stringify(this.holder));
  }

  release(): void {
    rmSync(this.file, { force: true });
  }
}

/** The running process that holds the lock on a data folder, if any. */
export function currentHolder(dataFolder: string): Holder | undefined {
  const holder = readHolder(lockFile(dataFolder));
  return holder && isAlive(holder.pid, holder.birth) ? holder : undefined;
}

const lockFile = (dataFolder: string): string => join(dataFolder, 'running.json');

const isAlive = (pid: number, birth: string): boolean => processBirth(pid) === birth;

const isBusy = ({ pid, birth, guardPid, guardBirth }: Holder): boolean =>
  isAlive(pid, birth) ||
  (guardPid !== undefined && guardBirth !== undefined && isAlive(guardPid, guardBirth));

/** Creates the file; returns false if it exists. It is written completely and then linked, so readers never see a part. */
function create(file: string, holder: Holder): boolean {
  const mine = `${file}.new-${process.pid}`;
  writePrivateFile(mine, JSON.stringify(holder));
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes a dead holder's file, and restores it if another process has replaced it meanwhile. */
function discard(file: string, dead: Holder | undefined): void {
  const aside = `${file}.old-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const found = readHolder(aside);
  try {
    if (found && found.pid !== dead?.pid) linkSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
