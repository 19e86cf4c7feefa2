import { Shares } from './shares';
import { TurnQueue } from './turn-queue';

/**
 * Lets a bounded number of tasks run at a time. Callers take turns; each caller's tasks run in their order. No caller
 * gets the last free place, so another caller finds a place immediately, however long the tasks of the first take.
 */
export class FairSlots {
  /** The function of a waiting task gets the function that gives its place back. */
  private readonly waiting = new TurnQueue<(giveBack: () => void) => void>();
  private readonly shares: Shares;

  constructor(private readonly places: number) {
    this.shares = new Shares({ limit: places, each: Math.max(1, places - 1), leavesRoom: false });
  }

  /** Runs `task` in one of the places as soon as it is the caller's turn. */
  async run<Result>(caller: string, task: () => Promise<Result>): Promise<Result> {
    const giveBack = await new Promise<() => void>((resolve) => {
      this.waiting.push(caller, resolve);
      this.startNext();
    });
    try {
      return await task();
    } finally {
      giveBack();
      this.startNext();
    }
  }

  private startNext(): void {
    while (this.shares.total < this.places) {
      const next = this.waiting.shift((caller) => this.shares.refusalOf(caller) === null);
      if (!next) return;
      next.item(this.shares.take(next.holder));
    }
  }
}
