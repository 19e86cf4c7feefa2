/** Counts the deliveries under way of one subscription, and tells when the last one ends. */
export class SubscriptionSlots {
  private taken = 0;
  private idle: (() => void)[] = [];

  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.taken;
  }

  /** Runs `work` in a slot, which must be free. */
  async run(work: () => Promise<void>): Promise<void> {
    this.taken++;
    try {
      await work();
    } finally {
      this.taken--;
      if (this.taken === 0) this.idle.splice(0).forEach((resolve) => resolve());
    }
  }

  /** Resolves once no slot is taken. */
  async drained(): Promise<void> {
    if (this.taken > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }
}
