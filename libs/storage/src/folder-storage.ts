import { constants, fstatSync, type Stats } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { SingleFlight } from '@vitrine/concurrency';
import { assertObjectKey, isObjectKey } from './object-key';
import {
  type ByteRange,
  type CheckedOutObject,
  type HeldObject,
  type ObjectInfo,
  ObjectStorage,
  type Pieces,
} from './object-storage';
import { reportingOutages, ObjectNotFoundError, StorageUnavailableError } from './storage-errors';

const SCRATCH = '.scratch';
const SHARD_LENGTH = 2;
/** A smaller object is read in one piece. */
const BUFFER_BYTES = 1 << 18;
/** Larger ones are read in pieces that a slow reader can take in time. */
const PIECE_BYTES = 1 << 17;
/** Buffers for pieces that wait for the next read; to allocate one costs as much as to read it. */
const MAX_FREE_BUFFERS = 32;
const freeBuffers: Buffer[] = [];

/**
 * Stores objects as files in a folder. A write goes to a scratch folder first and is then renamed. The object `f/abc.jpg` is
 * the file `f/ab/abc.jpg`, so that no folder has too many entries and a listing by prefix reads few of them.
 */
export class FolderStorage extends ObjectStorage {
  /** Flushes of folders that have not begun, by path. */
  private readonly flushes = new Map<string, Promise<void>>();
  private readonly scratch = new SingleFlight(() =>
    reportingOutages(async () => {
      const path = join(this.root, SCRATCH);
      await mkdir(path, { recursive: true, mode: 0o700 });
      return path;
    }),
  );

  constructor(private readonly root: string) {
    super();
  }

  scratchDirectory(): Promise<string> {
    return this.scratch.run();
  }

  moveIn(path: string, key: string): Promise<void> {
    return reportingOutages(async () => {
      const target = this.pathOf(key);
      await flush(path);
      await inFolderOf(target, () => rename(path, target));
      await this.flushFolder(dirname(target));
    });
  }

  addNew(path: string, key: string): Promise<boolean> {
    return reportingOutages(async () => {
      const target = this.pathOf(key);
      if (!(await inFolderOf(target, () => linkOrCopy(path, target)))) return false;
      try {
        // Nobody reads a new key yet, so bytes and name may reach the disk in any order: one wait instead of two.
        await Promise.all([flush(target), this.flushFolder(dirname(target))]);
      } catch (error) {
        await rm(target, { force: true });
        throw error;
      }
      return true;
    });
  }

  put(key: string, bytes: Uint8Array): Promise<void> {
    return reportingOutages(async () => {
      this.pathOf(key);
      const scratch = join(await this.scratchDirectory(), randomUUID());
      try {
        await writeFile(scratch, bytes);
        await this.moveIn(scratch, key);
      } catch (error) {
        await rm(scratch, { force: true });
        throw error;
      }
    });
  }

  head(key: string): Promise<ObjectInfo | null> {
    return reportingOutages(async () => {
      try {
        const found = await stat(this.pathOf(key));
        return found.isFile() ? infoOf(key, found) : null;
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    });
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const { handle } = await reportingOutages(() => this.openFile(key));
    return handle.createReadStream(range && { start: range.from, end: range.to });
  }

  async hold(key: string): Promise<HeldObject> {
    const { handle, info } = await reportingOutages(() => this.openFile(key));
    return {
      info,
      read: (range = { from: 0, to: info.size - 1 }) => readPieces(key, handle, range),
      close: () => handle.close(),
    };
  }

  async checkOut(key: string): Promise<CheckedOutObject> {
    // Opens the file, because an unreadable one is an outage, which the caller could not distinguish from a damaged file.
    await (await reportingOutages(() => this.openFile(key))).handle.close();
    return { path: this.pathOf(key), release: async () => undefined };
  }

  delete(keys: readonly string[]): Promise<void> {
    return reportingOutages(async () => {
      const paths = keys.map((key) => this.pathOf(key));
      const removals = await Promise.allSettled(paths.map((path) => rm(path, { force: true })));
      const own = new Set(
        paths.filter((_, i) => keys[i]!.split('/').length > 2).map((path) => dirname(path)),
      );
      // A folder that belongs to one media item is removed with its last file.
      await Promise.all([...own].map((folder) => rmdir(folder).catch(() => undefined)));
      const failed = removals.find((removal) => removal.status === 'rejected');
      if (failed) throw failed.reason;
    });
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    const [, start = ''] = prefix.split('/');
    const folders = start.length < SHARD_LENGTH ? start : '';
    for await (const path of filesBelow(this.folderOf(prefix), folders)) {
      const key = keyOf(relative(this.root, path).split(sep));
      if (!key.startsWith(prefix) || !isObjectKey(key)) continue;
      const found = await this.head(key);
      if (found) yield found;
    }
  }

  /** Does nothing: incomplete writes are scratch files here. */
  async abortStaleWrites(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {
    // No file stays open between operations.
  }

  /** Flushes a folder once for all who ask in the same turn of the event loop. */
  private flushFolder(path: string): Promise<void> {
    const waiting = this.flushes.get(path);
    if (waiting) return waiting;
    const flushed = turn().then(() => {
      this.flushes.delete(path);
      return flush(path);
    });
    this.flushes.set(path, flushed);
    return flushed;
  }

  private async openFile(key: string): Promise<{ handle: FileHandle; info: ObjectInfo }> {
    const handle = await open(this.pathOf(key)).catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectNotFoundError(key) : error;
    });
    try {
      // Opening the file has read its attributes, so this doesn't wait.
      const found: Stats = fstatSync(handle.fd);
      if (!found.isFile()) throw new ObjectNotFoundError(key);
      return { handle, info: infoOf(key, found) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async locateForProxy(key: string): Promise<string> {
    assertObjectKey(key);
    return sharded(key.split('/')).join('/');
  }

  private pathOf(key: string): string {
    assertObjectKey(key);
    return join(this.root, ...sharded(key.split('/')));
  }

  /** Returns the deepest folder that contains all objects whose keys begin with `prefix`. */
  private folderOf(prefix: string): string {
    const [top = '', ...rest] = prefix.split('/');
    if (rest.length === 0) return this.root;
    const folders = rest[0]!.length < SHARD_LENGTH ? [top] : sharded([top, ...rest]).slice(0, -1);
    return join(this.root, ...folders);
  }
}

/**
 * Reads a range through one buffer. A stream would allocate a buffer for each piece, which costs more than everything else.
 * The first piece is read before this resolves.
 */
async function readPieces(key: string, handle: FileHandle, { from, to }: ByteRange): Promise<Pieces> {
  if (from > to) return noPieces();
  const buffer = freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const pieceBytes = to - from < BUFFER_BYTES ? BUFFER_BYTES : PIECE_BYTES;
  const giveBack = (): void => void (freeBuffers.length < MAX_FREE_BUFFERS && freeBuffers.push(buffer));
  const readAt = async (at: number): Promise<Buffer> => {
    const length = Math.min(pieceBytes, to - at + 1);
    const { bytesRead } = await reportingOutages(() => handle.read(buffer, 0, length, at));
    if (bytesRead === 0) throw new StorageUnavailableError(`The file of ${key} ends before byte ${at}`);
    return buffer.subarray(0, bytesRead);
  };
  let first: Buffer;
  try {
    first = await readAt(from);
  } catch (error) {
    giveBack();
    throw error;
  }
  return (async function* () {
    try {
      for (let piece: Buffer | null = first, at = from; piece; piece = at <= to ? await readAt(at) : null) {
        at += piece.length;
        yield piece;
      }
    } finally {
      // The caller is done with the last piece, or has given up.
      giveBack();
    }
  })();
}

async function* noPieces(): Pieces {
  // Nothing to read.
}

/**
 * Iterates over the files below a folder, in the subfolders and files whose names begin with `start`. The recursion of Node 20
 * reads only one buffer of each subfolder, and fails if one is removed meanwhile; here such a folder counts as empty.
 */
async function* filesBelow(folder: string, start = ''): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  for await (const entry of entries) {
    if (!entry.name.startsWith(start)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Inserts a folder, named after the first two characters of the second word, before that word. */
const sharded = ([top, ...rest]: readonly string[]): string[] =>
  rest.length === 0 ? [top!] : [top!, rest[0]!.slice(0, SHARD_LENGTH), ...rest];

const keyOf = ([top, ...rest]: readonly string[]): string =>
  [top, ...(rest.length > 1 ? rest.slice(1) : rest)].join('/');

/** Runs `work`, and creates the folder of `target` if it is missing; a deletion may remove it at any moment. */
async function inFolderOf<T>(target: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt >= 5) throw error;
      await mkdir(dirname(target), { recursive: true });
    }
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Returns false if `target` exists. Nobody reads a new key before its writer has published it. */
async function linkOrCopy(path: string, target: string): Promise<boolean> {
  try {
    await link(path, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' || error.code === 'ENOENT') throw error;
      // Not every file system has hard links.
      await copyFile(path, target, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function infoOf(key: string, found: { size: number; mtime: Date; mtimeMs: number }): ObjectInfo {
  const etag = `${found.size.toString(36)}-${Math.round(found.mtimeMs * 1000).toString(36)}`;
  return { key, size: found.size, modifiedAt: found.mtime, etag };
}

/** Writes a file's bytes, or a folder's entries, to the disk, so that they survive a power failure. */
async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
