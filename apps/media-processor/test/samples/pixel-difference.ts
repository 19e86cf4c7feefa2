/** How far two pictures differ. */
export interface PixelDifference {
  /** The share of the pixels that differ by more than was asked for. */
  readonly visible: number;
  /** The mean of the pixels' differences, of 255. */
  readonly mean: number;
}

/**
 * Compares two pictures of the same size, given as raw RGB. A pixel differs by the most that one of its channels does; it
 * counts as visible above `limit`.
 */
export function pixelDifference(one: Buffer, other: Buffer, limit: number): PixelDifference {
  let [visible, sum] = [0, 0];
  for (let at = 0; at < one.length; at += 3) {
    const most = Math.max(
      Math.abs(one[at]! - other[at]!),
      Math.abs(one[at + 1]! - other[at + 1]!),
      Math.abs(one[at + 2]! - other[at + 2]!),
    );
    sum += most;
    if (most > limit) visible++;
  }
  const count = one.length / 3;
  return { visible: visible / count, mean: sum / count };
}
