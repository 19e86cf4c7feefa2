import { TurnQueue } from '@vitrine/concurrency';

/** Requests of one client that may wait. A page with its assets is some dozen, and many people may share an address. */
const MAX_WAITING = 200;

/**
 * Starts requests one at a time, and lets clients take turns, so that a client that sends thousands at the same time
 * delays only its own. It waits only for the synchronous part of a request, not for its answer.
 */
export class FairTurns {
  private readonly waiting = new TurnQueue<() => void>();
  private isTaken = false;

  /**
   * Calls `begin` immediately if no other request has begun in this turn of the event loop, else in its turn. Returns false,
   * without calling it, if the client has too many waiting requests.
   */
  take(clientKey: string, begin: () => void): boolean {
    if (!this.isTaken) {
      this.start(begin);
      return true;
    }
    if (this.waiting.lengthOf(clientKey) >= MAX_WAITING) return false;
    this.waiting.push(clientKey, begin);
    return true;
  }

  private start(begin: () => void): void {
    this.isTaken = true;
    // By then, requests of other clients have arrived.
    setImmediate(() => this.next());
    begin();
  }

  private next(): void {
    const next = this.waiting.shift();
    if (next) this.start(next.item);
    else this.isTaken = false;
  }
}
