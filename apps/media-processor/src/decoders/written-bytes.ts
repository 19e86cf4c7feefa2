import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK_BYTES = 512;
/** No job makes as many. Each could hold a block that is not yet counted. */
const MOST_FILES = 1000;

/**
 * Whether the files of a folder use more than `limit` bytes of the disk, are too many to count, or can't be counted, because the
 * worker has closed its folder. In a sandbox, a worker can't write anywhere else, and can't remove or rename what it has written.
 */
export function hasWrittenMore(folder: string, limit: number): boolean {
  try {
    return countsMore(folder, limit);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return true;
    throw error;
  }
}

function countsMore(folder: string, limit: number): boolean {
  const entries = opendirSync(folder);
  try {
    let bytes = 0;
    for (let files = 0; files < MOST_FILES; files++) {
      const entry = entries.readSync();
      if (!entry) return false;
      bytes += bytesOf(join(folder, entry.name));
      if (bytes > limit) return true;
    }
    return true;
  } finally {
    entries.closeSync();
  }
}

/** What the file uses of the disk; 0 if a worker without a sandbox has just removed it. */
const bytesOf = (path: string): number =>
  (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES;
