import { access, mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { type ByteRange, type ObjectInfo, ObjectNotFoundError, ObjectStorage } from './object-storage';

const KEY = /^(?!.*(?:^|\/)\.)[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const SCRATCH = '.scratch';

/** Objects as files of one folder; writes go to a scratch folder beside them and are renamed into place. */
export class FolderStorage extends ObjectStorage {
  constructor(private readonly root: string) {
    super();
  }

  async scratchDirectory(): Promise<string> {
    const path = join(this.root, SCRATCH);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async moveIn(path: string, key: string): Promise<void> {
    const target = this.pathOf(key);
    await flush(path);
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
    await flush(dirname(target));
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.pathOf(key);
    const scratch = join(await this.scratchDirectory(), randomUUID());
    try {
      await writeFile(scratch, bytes);
      await this.moveIn(scratch, key);
    } catch (error) {
      await rm(scratch, { force: true });
      throw error;
    }
  }

  async head(key: string): Promise<ObjectInfo | null> {
    try {
      const found = await stat(this.pathOf(key));
      return found.isFile() ? infoOf(key, found) : null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const handle = await open(this.pathOf(key)).catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectNotFoundError(key) : error;
    });
    return handle.createReadStream(range && { start: range.from, end: range.to });
  }

  async checkOut(key: string): Promise<{ readonly path: string; release(): Promise<void> }> {
    const path = this.pathOf(key);
    await access(path).catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectNotFoundError(key) : error;
    });
    return { path, release: async () => undefined };
  }

  async delete(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => rm(this.pathOf(key), { force: true })));
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    const folder = join(this.root, dirname(`${prefix}x`));
    const entries = await opendir(folder, { recursive: true }).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    for await (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const key = relative(this.root, path).split(sep).join('/');
      if (!entry.isFile() || !key.startsWith(prefix) || !KEY.test(key)) continue;
      const found = await this.head(key);
      if (found) yield found;
    }
  }

  private pathOf(key: string): string {
    if (key.length > 200 || !KEY.test(key)) throw new TypeError(`Not an object key: ${key}`);
    return join(this.root, key);
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

function infoOf(key: string, found: { size: number; mtime: Date; mtimeMs: number }): ObjectInfo {
  const etag = `${found.size.toString(36)}-${Math.round(found.mtimeMs * 1000).toString(36)}`;
  return { key, size: found.size, modifiedAt: found.mtime, etag };
}

/** Makes a file's bytes, or a folder's names, survive a power cut. */
async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
