import { UnreadableFileError } from '../errors/file-errors';

/** A file within the size limit needs fewer runs of samples than this. */
const MAX_RANGES = 2_000_000;

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A set of byte ranges, stored as two flat lists so that a million of them take little memory. */
export class ByteRanges {
  private starts: number[] = [];
  private ends: number[] = [];
  private merged = true;

  get isEmpty(): boolean {
    return this.starts.length === 0;
  }

  /** Adds `[from, to)`. */
  add(from: number, to: number): void {
    if (to <= from) return;
    const last = this.ends.length - 1;
    if (last >= 0 && this.ends[last] === from) {
      this.ends[last] = to;
      return;
    }
    if (last + 1 >= MAX_RANGES) throw new UnreadableFileError('The file is too fragmented.');
    this.starts.push(from);
    this.ends.push(to);
    this.merged = false;
  }

  /** The ranges in order; overlapping and adjacent ones are joined. */
  *sorted(): Generator<ByteRange> {
    this.merge();
    for (const [index, from] of this.starts.entries()) yield { from, to: this.ends[index] ?? from };
  }

  /** The parts of each of `within` (in order, not overlapping) that lie in none of these ranges. */
  *gapsIn(within: readonly ByteRange[]): Generator<ByteRange> {
    this.merge();
    let next = 0;
    for (const { from, to } of within) {
      let at = from;
      for (; next < this.starts.length; next++) {
        const start = this.starts[next] ?? 0;
        const end = this.ends[next] ?? 0;
        if (start >= to) break;
        if (start > at) yield { from: at, to: start };
        at = Math.max(at, end);
        if (end > to) break;
      }
      if (at < to) yield { from: at, to };
    }
  }

  /** Whether each of these ranges lies in one of `within` (in order, not overlapping). */
  liesIn(within: readonly ByteRange[]): boolean {
    let next = 0;
    for (const { from, to } of this.sorted()) {
      while ((within[next]?.to ?? Infinity) < to) next++;
      const home = within[next];
      if (!home || from < home.from) return false;
    }
    return true;
  }

  private merge(): void {
    if (this.merged) return;
    const order = Array.from(this.starts.keys()).sort(
      (a, b) => (this.starts[a] ?? 0) - (this.starts[b] ?? 0),
    );
    const starts: number[] = [];
    const ends: number[] = [];
    for (const index of order) {
      const from = this.starts[index] ?? 0;
      const to = this.ends[index] ?? 0;
      const last = ends.length - 1;
      if (last >= 0 && from <= (ends[last] ?? 0)) ends[last] = Math.max(ends[last] ?? 0, to);
      else {
        starts.push(from);
        ends.push(to);
      }
    }
    this.starts = starts;
    this.ends = ends;
    this.merged = true;
  }
}
