import { ByteView } from './byte-view';

/** Random access to the bytes of one file. The parsers never hold the whole of a large file in memory. */
export interface ByteSource {
  /** Bytes of the whole file. */
  readonly size: number;
  /**
   * Reads `length` bytes at `offset` (bytes). The result is shorter only if the file ends. The returned array belongs
   * to the caller.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
  /**
   * Fills `target` with the bytes from `offset` on and resolves with their number, which is smaller than the target
   * only if the file ends. Optional: walks through large files use it to avoid allocating each window.
   */
  readInto?(target: Uint8Array, offset: number): Promise<number>;
}

const WINDOW = 1 << 18;

/** Reads a file with many small headers from front to back, with few reads and a fixed amount of memory. */
export class SourceWindow {
  private start = 0;
  private bytes: Uint8Array = new Uint8Array(0);

  constructor(private readonly source: ByteSource) {}

  get size(): number {
    return this.source.size;
  }

  /** `length` bytes at `offset`; fewer only if the file ends. */
  async at(offset: number, length: number): Promise<ByteView> {
    const end = Math.min(offset + length, this.source.size);
    if (offset < this.start || end > this.start + this.bytes.length) {
      this.bytes = await this.source.read(offset, Math.max(length, WINDOW));
      this.start = offset;
    }
    return new ByteView(this.bytes.subarray(offset - this.start, Math.max(end, offset) - this.start));
  }
}
