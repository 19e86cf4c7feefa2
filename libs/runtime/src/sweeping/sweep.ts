/** A piece of tidying that runs now and again in every process, and that any number may run at once. */
export abstract class Sweep {
  /** As logs and metrics call it. */
  abstract readonly name: string;
  /** Between the end of a run and the next one. */
  abstract readonly intervalSeconds: number;
  /** By how much of the interval each pause differs, at random, so that replicas that started together drift apart. */
  readonly jitter: number = 0.1;
  /** Whether it runs as the process starts; else after the first pause. */
  readonly startsAtOnce: boolean = true;

  /**
   * Does what there is to do, and for as long as `goOn` says. Returns what it did, as counts by word that are worth a line
   * in the log; all zero where there was nothing to do. What it throws is logged, and tried again at the next run.
   */
  abstract runOnce(goOn: () => boolean): Promise<Readonly<Record<string, number>>>;
}
