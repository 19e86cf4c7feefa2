import type { Deadline } from './deadline';

/** Lets a bounded number of tasks run at a time; those that wait start in the order in which they came. */
export class Slots {
  private readonly waiting = new Set<() => void>();
  private idle: (() => void)[] = [];
  private taken = 0;

  constructor(private readonly size: number) {}

  /** Slots that a task would get immediately. */
  get free(): number {
    return this.size - this.taken;
  }

  /** Tasks that wait for a slot. */
  get queued(): number {
    return this.waiting.size;
  }

  /**
   * Runs `task` in a slot; in the same turn of the event loop if one is free. Rejects with `wait.late()` if no slot
   * became free within `wait.ms`; without `wait` there is no time limit.
   */
  async run<Result>(task: () => Promise<Result>, wait?: Deadline): Promise<Result> {
    if (this.taken < this.size) this.taken++;
    else await this.turn(wait);
    try {
      return await task();
    } finally {
      this.release();
    }
  }

  /** Resolves once no task is running or waiting. */
  async drained(): Promise<void> {
    if (this.taken > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Resolves when a task that has ended passes its slot to this caller. */
  private turn(wait: Deadline | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer =
        wait &&
        setTimeout(() => {
          this.waiting.delete(enter);
          reject(wait.late());
        }, wait.ms);
      this.waiting.add(enter);
    });
  }

  private release(): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next();
      return;
    }
    this.taken--;
    if (this.taken === 0) this.idle.splice(0).forEach((resolve) => resolve());
  }
}
