import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  opendirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { keepNew } from '@vitrine/storage';
import type { JobResult, MediaJob } from '../jobs/protocol';

/** A user and group of the system, by number. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** The sweep of the workers' own folders removes those that a killed process has left. Workers keep theirs for days. */
const ABANDONED_MS = 60 * 60_000;
const PREFIX = 'vitrine-worker-';
const PIECE_BYTES = 1 << 20;
/** Files that are removed in one turn of the event loop. */
const PIECE_FILES = 100;
/** A worker that leaves more gets no further job: it may add files as fast as they are removed. */
const MOST_LEFT_FILES = 10_000;
const PARTS = ['in', 'out', 'root'] as const;

/** A worker returned something that is not a plain file. */
export class UntrustedOutputError extends Error {
  override readonly name = 'UntrustedOutputError';
}

/**
 * The folders of one isolated worker: it may read `in` and write to `out`. A job's original is copied in before the
 * job, and the worker's files are copied out afterwards, so it never has access to a file that other processes use.
 * The worker can't replace the two folders themselves, so a path through them is safe for this process. Small operations are
 * synchronous: asynchronous ones take more processor time, in other threads, than everything else that a small picture needs.
 */
export class WorkerFolder {
  private readonly letAge: () => void;

  private constructor(
    /** Holds `in`, `out`, and `root`, an empty folder to mount on. */
    readonly path: string,
    private readonly owner: SystemUser | undefined,
    private readonly contained: boolean,
  ) {
    this.letAge = keepNew(path);
  }

  /**
   * Creates one below `parent`; `out` belongs to `owner`, or to this process's user. `contained` means that no
   * process of the worker can outlive it. Throws if it can't be created.
   */
  static make(
    parent: string,
    { owner, contained }: { readonly owner?: SystemUser | undefined; readonly contained: boolean },
  ): WorkerFolder {
    const path = mkdtempSync(join(parent, PREFIX));
    // Another user must be able to enter the folder, but can't list it.
    const mode = owner ? 0o711 : 0o700;
    for (const name of PARTS) mkdirSync(join(path, name), { mode: 0o700 });
    for (const name of ['', 'in']) chmodSync(join(path, name), mode);
    if (owner) chownSync(join(path, 'out'), owner.uid, owner.gid);
    return new WorkerFolder(path, owner, contained);
  }

  get in(): string {
    return join(this.path, 'in');
  }

  get out(): string {
    return join(this.path, 'out');
  }

  /** The same job with a copy of its original, and with the emptied `out` for its results. */
  async copyIn(job: MediaJob): Promise<MediaJob> {
    await this.clear();
    const source = join(this.in, basename(job.source));
    // A copy (with shared blocks if the file system can), because the worker must not have access to a file that the
    // storage serves.
    await copyFile(job.source, source, constants.COPYFILE_FICLONE);
    if (this.owner) chownSync(source, this.owner.uid, this.owner.gid);
    return { ...job, source, folder: this.out };
  }

  /**
   * Copies the files of a result into `target`. A hijacked worker may have left links, pipes or files with huge holes instead:
   * throws `UntrustedOutputError` for anything but regular files of at most `limit` bytes together.
   */
  async copyOut(result: JobResult, target: string, limit: number): Promise<void> {
    let left = limit;
    for (const { file } of result.files) {
      const name = basename(file);
      left -= await copyRegularFile(join(this.out, name), join(target, name), left);
    }
  }

  /**
   * Removes everything that a job left. Throws `UntrustedOutputError` if that includes anything but regular files, or too
   * many of them.
   */
  clear(): Promise<void> {
    return clearFolders(this.path, MOST_LEFT_FILES);
  }

  /** Removes the folders after the worker has ended. */
  async remove(): Promise<void> {
    this.letAge();
    reopen(this.path);
    if (this.contained) return rm(this.path, { recursive: true, force: true });
    await clearFolders(this.path);
    removeEmpty(this.path);
  }

  /**
   * Removes folders below `parent` that killed processes left. Folders that can't be removed stay, so that people can
   * examine them.
   */
  static async sweep(parent: string): Promise<void> {
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(PREFIX)) continue;
      const path = join(parent, name);
      const { mtimeMs, uid } = lstatSync(path);
      if (uid !== process.getuid?.() || Date.now() - mtimeMs < ABANDONED_MS) continue;
      try {
        await clearFolders(path);
        removeEmpty(path);
      } catch {
        // It stays.
      }
    }
  }
}

/** A worker of the same user may have closed its folder. */
function reopen(path: string): void {
  try {
    chmodSync(join(path, 'out'), 0o700);
  } catch {
    // It was removed in the meantime, or can't be opened, and what follows says so.
  }
}

/** Other work of this process may run in between: a hijacked worker may leave millions of files. */
async function clearFolders(path: string, most = Infinity): Promise<void> {
  reopen(path);
  for (const name of ['in', 'out']) {
    const folder = opendirSync(join(path, name));
    try {
      for (let removed = 0; ; removed++) {
        const entry = folder.readSync();
        if (!entry) break;
        if (removed >= most) throw new UntrustedOutputError('A worker left too many files');
        removeFile(join(path, name, entry.name));
        if (removed % PIECE_FILES === PIECE_FILES - 1) await turn();
      }
    } finally {
      folder.closeSync();
    }
  }
}

function removeFile(path: string): void {
  try {
    // Never recursive: a living worker could replace a folder that is being emptied by a link.
    unlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EISDIR' || code === 'EPERM' ? new UntrustedOutputError('A worker left a folder') : error;
  }
}

function removeEmpty(path: string): void {
  for (const name of [...PARTS, '']) rmdirSync(join(path, name));
}

/** Returns the bytes that it copied. */
async function copyRegularFile(from: string, to: string, limit: number): Promise<number> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let source: number;
  try {
    source = openSync(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP'
      ? new UntrustedOutputError('A worker left a link instead of a file')
      : error;
  }
  try {
    const found = fstatSync(source);
    if (!found.isFile() || found.nlink !== 1) {
      throw new UntrustedOutputError('A worker left something else instead of a file');
    }
    if (found.size > limit) throw new UntrustedOutputError('A worker left too large a file');
    await copyBytes(source, found.size, to);
    return found.size;
  } finally {
    closeSync(source);
  }
}

/** Copies the first `size` bytes. Other work of this process may run between two pieces. */
async function copyBytes(source: number, size: number, to: string): Promise<void> {
  const copy = openSync(to, 'wx', 0o600);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
    for (let at = 0; at < size;) {
      const bytesRead = readSync(source, buffer, 0, Math.min(buffer.length, size - at), at);
      if (bytesRead === 0) throw new UntrustedOutputError('A worker shortened a file');
      for (let written = 0; written < bytesRead;)
        written += writeSync(copy, buffer, written, bytesRead - written);
      at += bytesRead;
      if (at < size) await turn();
    }
  } finally {
    closeSync(copy);
  }
}
