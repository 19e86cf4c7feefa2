/** The position of the primary's log at a time. */
interface Mark {
  /** Milliseconds of `performance.now()`, before the primary was asked. */
  readonly at: number;
  /** Bytes since the beginning of the log. */
  readonly position: number;
}

/** One mark per second for ten minutes; a replica that lags more is not used anyway. */
const MAX_MARKS = 600;

/**
 * Remembers the position of the primary's log over time, so that the position of a replica shows how old its data are.
 * It depends on no server's clock, and replicas of an idle primary don't look old.
 */
export class PrimaryLog {
  private readonly marks: Mark[] = [];

  /** Adds the primary's answer to a query that was sent at `at` (`performance.now()`). */
  note(at: number, position: number): void {
    // Another server is the primary now, or a backup was restored: the older marks are useless.
    if (position < (this.marks.at(-1)?.position ?? 0)) this.marks.length = 0;
    this.marks.push({ at, position });
    if (this.marks.length > MAX_MARKS) this.marks.shift();
  }

  /**
   * Returns the latest known time at which everything committed before is contained in a replica that has replayed up to
   * `position`; null if none is known.
   */
  asOf(position: number): number | null {
    return this.marks.findLast((mark) => mark.position <= position)?.at ?? null;
  }

  /** The time of the oldest mark; null if there is none. */
  get since(): number | null {
    return this.marks[0]?.at ?? null;
  }
}
