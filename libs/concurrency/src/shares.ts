export interface ShareLimits {
  /** Places in total. */
  readonly limit: number;
  /** Places that one holder may have. */
  readonly each: number;
  /**
   * Whether a holder may have no more places than are free, so that another one always finds a place (dynamic
   * thresholds, after Choudhury and Hahne). For places that are held for a long time.
   */
  readonly leavesRoom: boolean;
}

/**
 * Counts who holds how many of a bounded number of places. A holder is known only while it holds a place, so the places
 * bound the memory too. The holder null represents many clients, so no share limits it.
 */
export class Shares {
  private readonly held = new Map<string, number>();
  private taken = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** Places that are taken. */
  get total(): number {
    return this.taken;
  }

  /** Why a holder can't have another place: none is free, or it already has its share. Null if it can have one. */
  refusalOf(holder: string | null, { limit, each, leavesRoom } = this.limits): 'full' | 'share' | null {
    const free = limit - this.taken;
    if (free <= 0) return 'full';
    if (holder === null) return null;
    const own = this.held.get(holder) ?? 0;
    return own >= (leavesRoom ? Math.min(free, each) : each) ? 'share' : null;
  }

  /** Takes a place, without a check. Returns a function that gives the place back; a second call does nothing. */
  take(holder: string | null): () => void {
    this.taken++;
    if (holder !== null) this.held.set(holder, (this.held.get(holder) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.taken--;
      if (holder === null) return;
      const left = (this.held.get(holder) ?? 1) - 1;
      if (left > 0) this.held.set(holder, left);
      else this.held.delete(holder);
    };
  }
}
