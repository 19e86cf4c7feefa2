/** Items that wait, by holder. The holders take turns, each of them with its items in their order. */
export class TurnQueue<Item> {
  /** The holder whose last turn is longest ago comes first. */
  private readonly queues = new Map<string, Item[]>();

  /** Number of waiting items of a holder. */
  lengthOf(holder: string): number {
    return this.queues.get(holder)?.length ?? 0;
  }

  push(holder: string, item: Item): void {
    const own = this.queues.get(holder);
    if (own) own.push(item);
    else this.queues.set(holder, [item]);
  }

  /**
   * Removes and returns the next item of the next holder for which `mayGo` returns true; undefined if there is none.
   */
  shift(mayGo: (holder: string) => boolean = () => true): { holder: string; item: Item } | undefined {
    for (const [holder, own] of this.queues) {
      if (!mayGo(holder)) continue;
      const item = own.shift() as Item;
      this.queues.delete(holder);
      if (own.length > 0) this.queues.set(holder, own);
      return { holder, item };
    }
    return undefined;
  }
}
