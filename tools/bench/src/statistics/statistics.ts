/** The median; the mean of the two middle values when their number is even. NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The smallest value that is at least as large as `share` (0 to 1) of the values (nearest rank). NaN for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The distribution of durations, in milliseconds with one decimal. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Summarises durations in milliseconds. All figures are 0 when there are none. */
export function latenciesOf(durations: readonly number[]): Latencies {
  const at = (share: number): number => Math.round(10 * (percentile(durations, share) || 0)) / 10;
  return { count: durations.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
