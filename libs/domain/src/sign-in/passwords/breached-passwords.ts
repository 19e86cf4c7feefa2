import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const HASH_LENGTH = 40;
/** Longer than any line of such a file: a hash, a colon and a count. */
const MAX_LINE = 64;

/**
 * Whether a password is in a file of sorted SHA-1 hashes. Reads about 40 short pieces of a file of any size, none of
 * which stays in memory. Throws if the file can't be read.
 */
export async function isBreached(path: string, password: string): Promise<boolean> {
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase();
  const file = await open(path);
  try {
    return await search(file, wanted, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

/** Binary search over byte positions: the first line that begins at or after a position is compared. */
async function search(file: FileHandle, wanted: string, size: number): Promise<boolean> {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await lineFrom(file, middle);
    if (found?.hash === wanted) return true;
    if (found && found.hash < wanted) low = found.end;
    else high = middle;
  }
  return false;
}

/** The first line that begins at or after `position`, and where the next one begins; null after the last line. */
async function lineFrom(
  file: FileHandle,
  position: number,
): Promise<{ readonly hash: string; readonly end: number } | null> {
  // A line begins at `position` if the byte before it ends one.
  const start = Math.max(0, position - 1);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * MAX_LINE), 0, 2 * MAX_LINE, start);
  const text = buffer.toString('latin1', 0, bytesRead);
  const begin = position === 0 ? 0 : text.indexOf('\n') + 1;
  if (position > 0 && begin === 0) return null;
  const hash = text.slice(begin, begin + HASH_LENGTH).toUpperCase();
  if (hash.length < HASH_LENGTH) return null;
  const end = text.indexOf('\n', begin);
  return { hash, end: start + (end < 0 ? bytesRead : end + 1) };
}
