/** The bytes and the score of one encoded picture. */
export interface Point {
  readonly bytes: number;
  readonly score: number;
}

/**
 * The bytes that an encoder needs for a score, from files of the same picture at several qualities: the logarithm of
 * the bytes is interpolated linearly between the two nearest scores, and beyond the ladder with its last slope. Throws
 * if there are fewer than two points.
 */
export function bytesAtScore(ladder: readonly Point[], score: number): number {
  const sorted = [...ladder].sort((a, b) => a.score - b.score);
  const above = sorted.findIndex((point) => point.score >= score);
  const upper = above < 0 ? sorted.length - 1 : Math.max(1, above);
  const [low, high] = [sorted[upper - 1], sorted[upper]];
  if (!low || !high) throw new Error('A ladder needs two qualities');
  if (high.score === low.score) return high.bytes;
  const share = (score - low.score) / (high.score - low.score);
  return Math.exp(Math.log(low.bytes) + share * (Math.log(high.bytes) - Math.log(low.bytes)));
}

/** The geometric mean of ratios; NaN for none. */
export const meanRatio = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
