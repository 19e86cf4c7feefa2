import type { ByteSource } from '../byte-source';

/** A small file that lies in memory already. */
export class MemorySource implements ByteSource {
  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    // A Buffer's own `slice` would hand out the file itself instead of a copy.
    return Promise.resolve(Uint8Array.prototype.slice.call(this.bytes, offset, offset + length));
  }
}

/** A run of a larger file (`from` inclusive, `to` exclusive), read as if it were one of its own. */
export class SliceSource implements ByteSource {
  constructor(
    private readonly source: ByteSource,
    private readonly from: number,
    private readonly to: number,
  ) {}

  get size(): number {
    return this.to - this.from;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.source.read(this.from + offset, Math.max(0, Math.min(length, this.size - offset)));
  }
}
