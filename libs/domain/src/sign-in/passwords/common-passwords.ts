import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The 112,130 passwords of ten and more characters among the million most frequent ones of earlier breaches
 * (`10-million-password-list-top-1000000` of the project SecLists, MIT licence), in lower case: of each the first five
 * bytes of its SHA-256, sorted. One of ten million other passwords is refused with them.
 */
const LIST = join(__dirname, '../../../assets/common-passwords.bin');
const ENTRY_BYTES = 5;

let loading: Promise<Buffer> | undefined;

/**
 * Whether a password of at least ten characters, ignoring case, is one of the list. The list is read with the first password
 * and takes 0.6 MB.
 */
export async function isCommon(password: string): Promise<boolean> {
  loading ??= readFile(LIST);
  const list = await loading;
  const wanted = createHash('sha256').update(password.toLowerCase()).digest().subarray(0, ENTRY_BYTES);
  let [from, to] = [0, list.length / ENTRY_BYTES];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = middle * ENTRY_BYTES;
    const order = wanted.compare(list, at, at + ENTRY_BYTES);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}
