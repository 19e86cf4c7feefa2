/** Where the primary's log was, and when. */
interface Mark {
  /** Milliseconds of `performance.now()`, before the primary was asked. */
  readonly at: number;
  /** Bytes since the beginning of the log. */
  readonly position: number;
}

/** At a mark a second: ten minutes, beyond which nobody asks how old a replica is. */
const MOST_MARKS = 600;

/**
 * How far the primary's log had come at what time, by which a replica's position tells how old its data are. No
 * server's clock has a part in it, and a primary on which nothing happens makes no replica look old.
 */
export class PrimaryLog {
  private readonly marks: Mark[] = [];

  /** Adds what the primary said to a question that was put at `at`. */
  note(at: number, position: number): void {
    // Another server has taken over, or an older state was restored: what is known says nothing any more.
    if (position < (this.marks.at(-1)?.position ?? 0)) this.marks.length = 0;
    this.marks.push({ at, position });
    if (this.marks.length > MOST_MARKS) this.marks.shift();
  }

  /**
   * The latest moment known by which everything committed is within a replica that has replayed up to `position`;
   * null where none is known.
   */
  asOf(position: number): number | null {
    return this.marks.findLast((mark) => mark.position <= position)?.at ?? null;
  }

  /** The earliest moment that is known of; null before the first. */
  get since(): number | null {
    return this.marks[0]?.at ?? null;
  }
}
