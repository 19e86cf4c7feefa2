import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Fills `bytes` with the file's bytes from `offset` on. Throws if the file ends before. */
export async function readFully(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) throw shorter();
    done += bytesRead;
  }
}

/** Like `readFully`, but synchronous, for threads that do nothing else meanwhile. It doesn't use the thread pool. */
export function readFullySync(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let done = 0; done < bytes.length;) {
    const bytesRead = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) throw shorter();
    done += bytesRead;
  }
}

const shorter = (): Error => new Error('A scratch file is shorter than expected');
