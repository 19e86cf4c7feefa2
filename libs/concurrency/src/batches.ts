interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs one batch per key at a time. An item starts at once if no batch of its key is running; otherwise it joins the next
 * batch. Useful if the work would wait for a lock of the key.
 */
export class Batches<Item, Result> {
  private readonly queues = new Map<string, Waiting<Item, Result>[]>();

  /** `work` gets at most `limit` items and returns their outcomes in the same order; an error is that of one item. */
  constructor(
    private readonly limit: number,
    private readonly work: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  ) {}

  /** Resolves or rejects with the outcome of this item; rejects as `work` does for the whole batch. */
  run(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = this.queues.get(key);
      if (queue) return void queue.push(waiting);
      const first = [waiting];
      this.queues.set(key, first);
      void this.drain(key, first);
    });
  }

  private async drain(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, this.limit);
      try {
        const outcomes = await this.work(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, at) => {
          const outcome = outcomes[at]!;
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.queues.delete(key);
  }
}
