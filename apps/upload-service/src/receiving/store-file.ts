import { createHash } from 'node:crypto';
import { sniff, SNIFF_BYTES } from '@vitrine/formats';
import type { ScratchFile } from '../scratch/scratch-file';
import { refusals } from './upload-errors';

/**
 * Writes the bytes of a file to a scratch file while they arrive, and returns their SHA-256. Throws the refusals of an
 * empty file and of one whose first bytes are of no accepted type.
 */
export async function storeFile(bytes: AsyncIterable<Uint8Array>, scratch: ScratchFile): Promise<Buffer> {
  const hash = createHash('sha256');
  let prefix: Buffer | null = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (prefix) {
      prefix = Buffer.concat([prefix, chunk.subarray(0, SNIFF_BYTES - prefix.length)]);
      if (prefix.length === SNIFF_BYTES) {
        if (!sniff(prefix)) throw refusals.wrongType();
        prefix = null;
      }
    }
    // The operating system writes while this thread hashes.
    const writing = scratch.append(chunk);
    hash.update(chunk);
    await writing;
  }
  if (scratch.size === 0) throw refusals.empty();
  if (prefix && !sniff(prefix)) throw refusals.wrongType();
  return hash.digest();
}
