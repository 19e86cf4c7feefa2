import { UnreadableFileError } from '../errors/file-errors';
import type { ByteSource } from './byte-source';

const WINDOW_BYTES = 64 * 1024;
const MAX_WINDOWS = 16;
/** How many times a file's own size may be read in windows, and how many bytes may be read of even a tiny file. */
const MAX_READS = 8;
const FREE_BYTES = 16 * 1024 * 1024;

/**
 * A file whose tables are read in any order: short reads are served from the last 16 windows of 64 KiB. Throws
 * `UnreadableFileError` if the tables are so scattered that nearly every value costs a window.
 */
export class WindowedSource implements ByteSource {
  private readonly windows = new Map<number, Uint8Array>();

  private bytesLeft: number;

  constructor(private readonly source: ByteSource) {
    this.bytesLeft = source.size * MAX_READS + FREE_BYTES;
  }

  get size(): number {
    return this.source.size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const index = Math.floor(offset / WINDOW_BYTES);
    const at = offset - index * WINDOW_BYTES;
    if (at + length > WINDOW_BYTES) return this.source.read(offset, length);
    return (await this.window(index)).slice(at, at + length);
  }

  private async window(index: number): Promise<Uint8Array> {
    const known = this.windows.get(index);
    if (!known) this.bytesLeft -= WINDOW_BYTES;
    if (this.bytesLeft < 0) throw new UnreadableFileError('The tables of the file are too scattered.');
    const bytes = known ?? Uint8Array.from(await this.source.read(index * WINDOW_BYTES, WINDOW_BYTES));
    // The map is ordered by use; its first entry is the least recently used one.
    this.windows.delete(index);
    this.windows.set(index, bytes);
    const [oldest] = this.windows.keys();
    if (this.windows.size > MAX_WINDOWS && oldest !== undefined) this.windows.delete(oldest);
    return bytes;
  }
}
