import { concatBytes } from './arrays';
import type { ByteSource } from './byte-source';

/** A small file in memory. */
export class MemorySource implements ByteSource {
  constructor(private readonly bytes: Uint8Array) {}

  get size(): number {
    return this.bytes.length;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    // The `slice` of a Buffer would return the file's own memory instead of a copy.
    return Promise.resolve(Uint8Array.prototype.slice.call(this.bytes, offset, offset + length));
  }

  readInto(target: Uint8Array, offset: number): Promise<number> {
    const bytes = this.bytes.subarray(offset, offset + target.length);
    target.set(bytes);
    return Promise.resolve(bytes.length);
  }
}

/** A part of a larger file (`from` inclusive, `to` exclusive), read like a separate file. */
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

/** Parts of a larger file, read like one file in which they follow each other. */
export class JoinedSource implements ByteSource {
  readonly size: number;

  constructor(
    private readonly source: ByteSource,
    private readonly parts: readonly { readonly from: number; readonly to: number }[],
  ) {
    this.size = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (const { from, to } of this.runs(offset, offset + length))
      pieces.push(await this.source.read(from, to - from));
    return concatBytes(pieces);
  }

  /** Positions in the larger file of the bytes from `from` to `to` of the joined file. */
  runs(from: number, to: number): { from: number; to: number }[] {
    const runs: { from: number; to: number }[] = [];
    let at = 0;
    for (const part of this.parts) {
      const end = at + part.to - part.from;
      const [first, last] = [Math.max(from, at), Math.min(to, end)];
      if (first < last) runs.push({ from: part.from + first - at, to: part.from + last - at });
      at = end;
    }
    return runs;
  }
}
