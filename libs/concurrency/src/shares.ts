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

/** Places that somebody holds. */
export interface TakenPlaces {
  /** Gives so many of them back, or all that are left if they are fewer. */
  giveBack(some: number): void;
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

  /** Why a holder can't have `places` more: too few are free, or it would have more than its share. Null if it can. */
  refusalOf(
    holder: string | null,
    { limit, each, leavesRoom } = this.limits,
    places = 1,
  ): 'full' | 'share' | null {
    const free = limit - this.taken;
    if (free < places) return 'full';
    if (holder === null) return null;
    const own = this.held.get(holder) ?? 0;
    return own + places > (leavesRoom ? Math.min(free, each) : each) ? 'share' : null;
  }

  /** Takes a place, without a check. Returns a function that gives the place back; a second call does nothing. */
  take(holder: string | null): () => void {
    const { giveBack } = this.takeSome(holder, 1);
    // Callers use it as a listener, so it has no parameters.
    return () => giveBack(1);
  }

  /** Takes places that are given back bit by bit, without a check. */
  takeSome(holder: string | null, places: number): TakenPlaces {
    let left = places;
    this.add(holder, places);
    return {
      giveBack: (some) => {
        const back = Math.min(some, left);
        left -= back;
        this.add(holder, -back);
      },
    };
  }

  private add(holder: string | null, places: number): void {
    this.taken += places;
    if (holder === null) return;
    const own = (this.held.get(holder) ?? 0) + places;
    if (own > 0) this.held.set(holder, own);
    else this.held.delete(holder);
  }
}
