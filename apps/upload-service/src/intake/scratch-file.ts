import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSource } from '@vitrine/formats';

const CHUNK = 1 << 20;

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
    const wanted = Math.max(0, Math.min(length, this.written - offset));
    const bytes = new Uint8Array(wanted);
    let done = 0;
    while (done < wanted) {
      const { bytesRead } = await this.handle.read(bytes, done, wanted - done, offset + done);
      if (bytesRead === 0) throw new Error('A scratch file became shorter while it was read');
      done += bytesRead;
    }
    return bytes;
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
    for (let at = 0; at < this.written; at += CHUNK) hash.update(await this.read(at, CHUNK));
    return hash.digest();
  }

  /** Resolves once the bytes have reached the disk. */
  sync(): Promise<void> {
    return this.handle.datasync();
  }

  /** Takes the file away; what has been linked elsewhere stays there. */
  async discard(): Promise<void> {
    await this.handle.close();
    await rm(this.path, { force: true });
  }
}
