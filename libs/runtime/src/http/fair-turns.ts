/** Requests of one address that wait; a page and its assets are some dozen, and many people may share an address. */
const MOST_WAITING = 200;

/**
 * Lets requests begin one at a time, those of different addresses in turns, so that whoever sends thousands at once waits
 * for them alone. What a request does later, when the API has answered say, is not waited for.
 */
export class FairTurns {
  /** By address; the one that had its turn longest ago comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isTaken = false;

  /** Begins at once where nothing else has begun in this turn of the event loop. False where the address has too many waiting. */
  take(holder: string, begin: () => void): boolean {
    if (!this.isTaken) {
      this.start(begin);
      return true;
    }
    const own = this.waiting.get(holder);
    if (!own) this.waiting.set(holder, [begin]);
    else if (own.length >= MOST_WAITING) return false;
    else own.push(begin);
    return true;
  }

  private start(begin: () => void): void {
    this.isTaken = true;
    // After what comes in meanwhile, and with it the requests of others.
    setImmediate(() => this.next());
    begin();
  }

  private next(): void {
    const [first] = this.waiting;
    if (!first) {
      this.isTaken = false;
      return;
    }
    const [holder, own] = first;
    const begin = own.shift();
    this.waiting.delete(holder);
    if (own.length > 0) this.waiting.set(holder, own);
    if (begin) this.start(begin);
  }
}
