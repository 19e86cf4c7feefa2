/** What is watched over time, and how far it may drift before it counts as growing. */
export interface Tolerance {
  /** In the unit of the quantity. */
  readonly absolute: number;
  /** Of its median in the second third; the larger of the two counts. */
  readonly relative: number;
}

export interface Drift {
  readonly second: number;
  readonly last: number;
  /** Growth from the second third's beginning to the end, by the slope of Theil and Sen. */
  readonly growth: number;
  readonly allowed: number;
  readonly isGrowing: boolean;
}

/**
 * Whether a series of evenly spaced samples grows once it is warm. The first third is left out: pools fill, caches fill,
 * V8 finds its size. A leak raises the median of the last third over that of the second, and the slope of all pairs,
 * which no single spike moves; only both together count, since each alone is moved by a wave that ends where it will.
 */
export function driftOf(samples: readonly number[], { absolute, relative }: Tolerance): Drift {
  const third = Math.floor(samples.length / 3);
  const warm = samples.slice(third);
  const second = median(warm.slice(0, third));
  const last = median(samples.slice(-third));
  const growth = theilSenSlope(warm) * (warm.length - 1);
  const allowed = Math.max(absolute, relative * second);
  return { second, last, growth, allowed, isGrowing: last - second > allowed && growth > allowed };
}

/** The median of the slopes between all pairs, per step (Theil 1950, Sen 1968). */
export function theilSenSlope(samples: readonly number[]): number {
  const slopes = samples.flatMap((from, i) =>
    samples.slice(i + 1).map((to, further) => (to - from) / (further + 1)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
