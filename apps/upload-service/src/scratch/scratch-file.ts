import { createHash, randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from '@vitrine/formats';

const PIECE_BYTES = 1 << 19;
/** Buffers are reused, because their memory is outside V8's heap and is freed only by a garbage collection. */
const freeBuffers: Uint8Array[] = [];
const MAX_FREE_BUFFERS = 4;

/** A temporary file with a unique name, readable only by this process's user, that `discard` removes. */
export class ScratchFile implements ByteSource {
  private written = 0;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(directory: string): Promise<ScratchFile> {
    const path = join(directory, `upload-${randomUUID()}`);
    return new ScratchFile(path, await open(path, 'wx+', 0o600));
  }

  get size(): number {
    return this.written;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.written - offset)));
    await readFully(this.handle, bytes, offset);
    return bytes;
  }

  /**
   * Iterates over the bytes from `from` up to `to`, in pieces that share one buffer: each is valid until the next one is
   * read. So a large file does not fill the heap with garbage.
   */
  async *pieces(from: number, to: number): AsyncGenerator<Uint8Array> {
    const buffer = freeBuffers.pop() ?? new Uint8Array(Math.min(PIECE_BYTES, Math.max(1, to - from)));
    try {
      for (let at = from; at < to; at += buffer.length) {
        const piece = buffer.subarray(0, Math.min(buffer.length, to - at));
        await readFully(this.handle, piece, at);
        yield piece;
      }
    } finally {
      if (buffer.length === PIECE_BYTES && freeBuffers.length < MAX_FREE_BUFFERS) freeBuffers.push(buffer);
    }
  }

  /** Appends bytes; resolves once the operating system has them. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.overwrite(this.written, bytes);
    this.written += bytes.length;
  }

  /** Appends pieces in their order, with as few system calls as possible. */
  async appendAll(pieces: readonly Uint8Array[]): Promise<void> {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const { bytesWritten } = await this.handle.writev([...pieces], this.written);
    const offset = this.written;
    this.written += bytes;
    // A full disk may have taken a part only; the next write says why.
    if (bytesWritten < bytes)
      await this.overwrite(offset + bytesWritten, Buffer.concat(pieces).subarray(bytesWritten));
  }

  /** Overwrites the bytes at `offset`. */
  async overwrite(offset: number, bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
  }

  /** Shortens the file to `size` bytes. */
  async truncate(size: number): Promise<void> {
    await this.handle.truncate(size);
    this.written = size;
  }

  /** Returns the SHA-256 of the whole file. */
  async sha256(): Promise<Buffer> {
    const hash = createHash('sha256');
    for await (const piece of this.pieces(0, this.written)) hash.update(piece);
    return hash.digest();
  }

  /** Closes and removes the file. Hard links to it stay. */
  async discard(): Promise<void> {
    // `unlink` is one system call; `rm` needs three, and clients may abort thousands of uploads.
    const removal = unlink(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await Promise.all([this.handle.close(), removal]);
  }

  /** Discards the file in the background. If that fails, a sweep removes the file later. */
  discardSoon(): void {
    this.discard().catch(() => undefined);
  }
}

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
