import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from '@vitrine/formats';
import { readFully } from './read-fully';

const PIECE_BYTES = 1 << 19;

/** A file on its way in: nobody else's name, nobody else's to read, gone when discarded. */
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
   * The bytes from `from` up to `to`, in pieces that share one buffer: each is valid until the next is asked for.
   * A large file thus leaves no trail of garbage behind.
   */
  async *pieces(from: number, to: number): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(Math.min(PIECE_BYTES, to - from));
    for (let at = from; at < to; at += buffer.length) {
      const piece = buffer.subarray(0, Math.min(buffer.length, to - at));
      await readFully(this.handle, piece, at);
      yield piece;
    }
  }

  /** Appends bytes; resolves once the system has them. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.overwrite(this.written, bytes);
    this.written += bytes.length;
  }

  /** Puts bytes in the place of those at `offset`. */
  async overwrite(offset: number, bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.handle.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
  }

  /** Cuts off everything from `size` (bytes) on. */
  async truncate(size: number): Promise<void> {
    await this.handle.truncate(size);
    this.written = size;
  }

  /** SHA-256 of the whole file as it is now. */
  async sha256(): Promise<Buffer> {
    const hash = createHash('sha256');
    for await (const piece of this.pieces(0, this.written)) hash.update(piece);
    return hash.digest();
  }

  /** Takes the file away; what has been linked elsewhere stays there. */
  async discard(): Promise<void> {
    // One call, where `rm` looks twice at what it is about to remove: a client may give up thousands of uploads.
    const removal = unlink(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await Promise.all([this.handle.close(), removal]);
  }

  /** As `discard`, but nobody waits for it; what can't be removed now is the sweeper's. */
  discardSoon(): void {
    this.discard().catch(() => undefined);
  }
}
