import { UnreadableFileError } from '../../errors/file-errors';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Maps positions in the source to positions in the rewritten file. */
export interface Placement {
  place(offset: number): number;
}

/** The positions of kept runs of the source after they were moved together. */
export class ByteMap implements Placement {
  /** The kept runs, in order; no two are adjacent. */
  readonly ranges: readonly Range[];
  /** The start of each run when they follow each other without gaps. */
  private readonly places: number[] = [];
  readonly size: number = 0;

  constructor(ranges: readonly Range[]) {
    this.ranges = joined(ranges);
    for (const { from, to } of this.ranges) {
      this.places.push(this.size);
      this.size += to - from;
    }
  }

  /** The new position, counted from the first kept byte, of the source's byte at `offset`. */
  place(offset: number): number {
    let [low, high] = [0, this.ranges.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = this.ranges[middle];
      const place = this.places[middle];
      if (!range || place === undefined) break;
      if (offset < range.from) high = middle - 1;
      else if (offset > range.to) low = middle + 1;
      else return place + offset - range.from;
    }
    throw new UnreadableFileError('An offset points outside of the picture.');
  }
}

function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of [...ranges].filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && range.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else result.push(range);
  }
  return result;
}
