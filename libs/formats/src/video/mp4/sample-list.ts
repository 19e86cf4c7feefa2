import { UnreadableFileError } from '../../media-format';
import type { ByteRange } from '../byte-ranges';

/** More pictures than any file within the size limit holds. */
const MAX_SAMPLES = 2_000_000;

/** Where the samples of a picture track lie, one by one. */
export class SampleList {
  private readonly starts: number[] = [];
  private readonly sizes: number[] = [];

  add(from: number, size: number): void {
    if (size === 0) return;
    if (this.starts.length >= MAX_SAMPLES) throw new UnreadableFileError('The movie has too many samples.');
    this.starts.push(from);
    this.sizes.push(size);
  }

  /** In the order of the file. A sample that starts inside another is left out, so that no byte is read twice. */
  *inOrder(): Generator<ByteRange> {
    const order = Uint32Array.from(this.starts.keys());
    order.sort((a, b) => (this.starts[a] ?? 0) - (this.starts[b] ?? 0));
    let end = 0;
    for (const index of order) {
      const from = this.starts[index] ?? 0;
      if (from < end) continue;
      yield { from, to: (end = from + (this.sizes[index] ?? 0)) };
    }
  }
}
