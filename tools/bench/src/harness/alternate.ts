/** Measures one thing once and returns the number, usually milliseconds. Rounds count from 0. */
export type Measurement = (round: number) => Promise<number>;

/**
 * Takes every measurement once a round, in reversed order every other round, so that other load on the machine affects all of
 * them equally. Returns the numbers of each measurement, without those of the first `warmUp` rounds.
 */
export async function alternate(
  measurements: readonly Measurement[],
  { rounds, warmUp = 0 }: { readonly rounds: number; readonly warmUp?: number },
): Promise<readonly number[][]> {
  const results = measurements.map((): number[] => []);
  const order = [...measurements.entries()];
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [index, measure] of round % 2 === 0 ? order : order.toReversed()) {
      const result = await measure(round);
      if (round >= warmUp) results[index]?.push(result);
    }
  }
  return results;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
