/**
 * How long idle work may still take, of so many seconds an hour. A twelfth of them can be saved up: with all of an hour, one
 * uploader could use them up in its first minutes.
 */
export class TimeAllowance {
  private readonly most: number;
  private ms: number;
  private countedAt: number;

  constructor(
    private readonly secondsPerHour: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.most = (secondsPerHour * 1000) / 12;
    this.ms = this.most;
    this.countedAt = now();
  }

  /** Whether work may begin. The last one may take more than was left. */
  get isLeft(): boolean {
    const now = this.now();
    this.ms = Math.min(this.most, this.ms + ((now - this.countedAt) * this.secondsPerHour) / 3600);
    this.countedAt = now;
    return this.ms > 0;
  }

  /** Takes off the milliseconds of work that has ended. */
  spend(ms: number): void {
    this.ms -= ms;
  }
}
