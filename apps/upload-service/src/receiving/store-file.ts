import { createHash } from 'node:crypto';
import { LATE_SNIFF_BYTES, mayShowLater, sniff, SNIFF_BYTES } from '@vitrine/formats';
import type { ScratchFile } from '../scratch/scratch-file';
import { refusals } from './upload-errors';

/** Bytes that one system call writes: each costs a thread of the pool a wake-up, and bodies arrive in pieces of 64 KiB. */
const WRITE_BYTES = 1 << 18;
/** Shorter pieces are copied, because the parser may put the next bytes in the same place. */
const COPIED_BYTES = 1 << 12;

/**
 * Writes the bytes of a file to a scratch file while they arrive, and returns their SHA-256. Throws the refusals of an
 * empty file and of one whose first bytes are of no accepted type.
 */
export async function storeFile(bytes: AsyncIterable<Uint8Array>, scratch: ScratchFile): Promise<Buffer> {
  const hash = createHash('sha256');
  let prefix: Buffer | null = Buffer.alloc(0);
  let gathered: Uint8Array[] = [];
  let size = 0;
  let writing = Promise.resolve();
  try {
    for await (const chunk of bytes) {
      if (prefix) {
        prefix = Buffer.concat([prefix, chunk.subarray(0, LATE_SNIFF_BYTES - prefix.length)]);
        if (prefix.length >= SNIFF_BYTES) {
          if (sniff(prefix.subarray(0, SNIFF_BYTES))) prefix = null;
          else if (!mayShowLater(prefix.subarray(0, SNIFF_BYTES))) throw refusals.wrongType();
          else if (prefix.length === LATE_SNIFF_BYTES) {
            if (!sniff(prefix)) throw refusals.wrongType();
            prefix = null;
          }
        }
      }
      hash.update(chunk);
      gathered.push(chunk.length < COPIED_BYTES ? Uint8Array.from(chunk) : chunk);
      size += chunk.length;
      if (size < WRITE_BYTES) continue;
      // The operating system writes while the next pieces arrive.
      await writing;
      writing = scratch.appendAll(gathered);
      writing.catch(() => undefined);
      gathered = [];
      size = 0;
    }
  } finally {
    await writing;
  }
  if (size > 0) await scratch.appendAll(gathered);
  if (scratch.size === 0) throw refusals.empty();
  if (prefix && !sniff(prefix)) throw refusals.wrongType();
  return hash.digest();
}
