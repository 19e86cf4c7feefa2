export interface ShareLimits {
  /** Places in all. */
  readonly limit: number;
  /** Places that one holder may have. */
  readonly each: number;
  /**
   * A holder may have no more places than are left to others, so that another finds a place, however many keep theirs
   * (dynamic thresholds, after Choudhury and Hahne). For places that are held for long.
   */
  readonly leavesRoom: boolean;
}

/**
 * Counts the places of a bounded number by holder. Memory is bounded by the places: a holder is known only while it holds
 * one. The holder null represents many, and has no share.
 */
export class Shares {
  private readonly held = new Map<string, number>();
  private taken = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** Places that are taken. */
  get total(): number {
    return this.taken;
  }

  /** Why a holder can't have one more place: none is free, or the holder has its share; null where it can. */
  refusalOf(holder: string | null, { limit, each, leavesRoom } = this.limits): 'full' | 'share' | null {
    const free = limit - this.taken;
    if (free <= 0) return 'full';
    if (holder === null) return null;
    const own = this.held.get(holder) ?? 0;
    return own >= (leavesRoom ? Math.min(free, each) : each) ? 'share' : null;
  }

  /** Takes a place; returns a function that gives it back, and counts only once. */
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
