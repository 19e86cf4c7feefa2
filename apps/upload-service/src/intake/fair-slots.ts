/**
 * Lets a bounded number of tasks run at a time. Callers take turns; each caller's tasks run in their order. No caller
 * gets the last free place, so another caller finds a place at once, however long the tasks of the first take.
 */
export class FairSlots {
  /** Waiting tasks by caller; the caller whose last turn is longest ago comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly running = new Map<string, number>();
  private readonly perCaller: number;

  constructor(private free: number) {
    this.perCaller = Math.max(1, free - 1);
  }

  /** Runs `task` in one of the places as soon as it is the caller's turn. */
  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      const own = this.waiting.get(caller);
      if (own) own.push(resolve);
      else this.waiting.set(caller, [resolve]);
      this.admit();
    });
    try {
      return await task();
    } finally {
      this.free++;
      this.count(caller, -1);
      this.admit();
    }
  }

  private admit(): void {
    while (this.free > 0) {
      const next = [...this.waiting].find(([caller]) => (this.running.get(caller) ?? 0) < this.perCaller);
      if (!next) return;
      const [caller, tasks] = next;
      const start = tasks.shift();
      this.waiting.delete(caller);
      if (tasks.length > 0) this.waiting.set(caller, tasks);
      this.free--;
      this.count(caller, 1);
      start?.();
    }
  }

  private count(caller: string, change: number): void {
    const running = (this.running.get(caller) ?? 0) + change;
    if (running > 0) this.running.set(caller, running);
    else this.running.delete(caller);
  }
}
