/** Runs a task at most once at a time: callers that come while it runs share that run and its result. */
export class SingleFlight<Result> {
  private running: Promise<Result> | undefined;
  private again = false;

  constructor(private readonly task: () => Promise<Result>) {}

  /** Resolves or rejects as the task does. */
  run(): Promise<Result> {
    this.running ??= this.task().finally(() => {
      this.running = undefined;
      if (!this.again) return;
      this.again = false;
      this.wake();
    });
    return this.running;
  }

  /**
   * Makes the task run from its beginning after this call: now, or when the run that is in progress has ended. For tasks
   * that process what is due; the failure of such a run is ignored.
   */
  wake(): void {
    if (this.running) this.again = true;
    else this.run().catch(() => undefined);
  }

  /** The run that is in progress; undefined if there is none. */
  get current(): Promise<Result> | undefined {
    return this.running;
  }
}
