import { Slots } from '@vitrine/concurrency';
import { OutageError } from '@vitrine/runtime';

/** How long PostgreSQL may take for a COMMIT, or for a single statement that commits by itself. */
const ANSWER_WITHIN_MS = 10_000;
/** The same while another one is overdue, so that work in several steps doesn't wait for each of them. */
const NEXT_WITHIN_MS = 1_000;

/** How long a transaction may wait for a place: as long as for a connection. */
const PLACE_WITHIN_MS = 5_000;

/** A transaction may have been stored or not: its COMMIT was sent, and PostgreSQL has not answered yet. */
export class CommitUnansweredError extends OutageError {
  override readonly name = 'CommitUnansweredError';
  constructor() {
    super('PostgreSQL has not answered a COMMIT; the transaction may be stored');
  }
}

/**
 * Bounds the transactions of a process, and how long their callers wait for a COMMIT. With synchronous replication, PostgreSQL
 * holds the answer back until a standby has the transaction, and no timeout ends this wait. Reads have connections that
 * no transaction gets, so they go on.
 */
export class Commits {
  private readonly places: Slots;
  private unanswered = 0;

  constructor(
    private readonly size: number,
    private readonly answerWithinMs = ANSWER_WITHIN_MS,
  ) {
    this.places = new Slots(size);
  }

  /** Transactions whose callers have stopped waiting. Each keeps its place and connection until PostgreSQL answers. */
  get overdue(): number {
    return this.unanswered;
  }

  /**
   * Runs `work`, which writes, in a place. `work` calls `committing` when only the COMMIT is left. Rejects with
   * `CommitUnansweredError` if the COMMIT takes too long, and with `OutageError` if no place becomes free.
   */
  run<Result>(work: (committing: () => void) => Promise<Result>): Promise<Result> {
    if (this.unanswered >= this.size) {
      return Promise.reject(new OutageError('PostgreSQL answers no COMMIT of this process'));
    }
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let isOverdue = false;
      const committing = (): void => {
        const ms = this.unanswered > 0 ? Math.min(NEXT_WITHIN_MS, this.answerWithinMs) : this.answerWithinMs;
        timer = setTimeout(() => {
          isOverdue = true;
          this.unanswered++;
          reject(new CommitUnansweredError());
        }, ms);
      };
      const placed = async (): Promise<Result> => {
        try {
          return await work(committing);
        } finally {
          clearTimeout(timer);
          if (isOverdue) this.unanswered--;
        }
      };
      const late = (): Error => new OutageError('No place for a transaction became free');
      this.places.run(placed, { ms: PLACE_WITHIN_MS, late }).then(resolve, reject);
    });
  }
}
