/** Runs a task at most once at a time: callers that come while it runs share that run and its result. */
export class SingleFlight<Result> {
  private underWay: Promise<Result> | undefined;

  constructor(private readonly task: () => Promise<Result>) {}

  /** Resolves or rejects as the task does. */
  run(): Promise<Result> {
    this.underWay ??= this.task().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  /** The run that is under way; undefined if there is none. */
  get current(): Promise<Result> | undefined {
    return this.underWay;
  }
}
