import { median } from '@vitrine/bench';

/** How far a quantity may drift before it counts as growing; the larger of the two limits applies. */
export interface Tolerance {
  /** In the quantity's unit. */
  readonly absolute: number;
  /** As a share of the median of the second third. */
  readonly relative: number;
}

export interface Drift {
  readonly second: number;
  readonly last: number;
  /** Growth from the start of the second third to the end, by the Theil–Sen slope. */
  readonly growth: number;
  readonly allowed: number;
  readonly isGrowing: boolean;
}

/**
 * Determines whether a series of evenly spaced samples grows. The first third is ignored: pools and caches fill, and V8
 * sizes its heap. A leak raises the median of the last third above that of the second, and the slope of all pairs, which a
 * single spike doesn't change. Both must exceed the limit, because a wave can move either of them.
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
