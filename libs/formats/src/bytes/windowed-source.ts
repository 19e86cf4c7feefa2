import type { ByteSource } from '../byte-source';

const WINDOW_BYTES = 64 * 1024;
const MAX_WINDOWS = 16;

/** A file whose tables are read in any order: short reads come out of the last few windows of 64 KiB. */
export class WindowedSource implements ByteSource {
  private readonly windows = new Map<number, Uint8Array>();

  constructor(private readonly source: ByteSource) {}

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
    const bytes = known ?? Uint8Array.from(await this.source.read(index * WINDOW_BYTES, WINDOW_BYTES));
    // The map's order is that of use; the one used longest ago goes first.
    this.windows.delete(index);
    this.windows.set(index, bytes);
    const [oldest] = this.windows.keys();
    if (this.windows.size > MAX_WINDOWS && oldest !== undefined) this.windows.delete(oldest);
    return bytes;
  }
}
