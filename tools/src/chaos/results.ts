import type { Bus, Verdict } from './scenario';

/** One run of one scenario, as it is kept in artefacts/chaos/<scenario>.json. */
export interface RunResult {
  readonly bus: Bus;
  readonly seed: number;
  readonly settings: Readonly<Record<string, number>>;
  readonly at: string;
  /** Cores of the machine, and how many processes wanted one on average during the last minute, as the run ended. */
  readonly machine: { readonly cores: number; readonly load: number };
  readonly seconds: number;
  readonly kept: boolean;
  readonly figures: Verdict['figures'];
  readonly breaches: Verdict['breaches'];
}

/** A promise is kept where nothing speaks against it and something was measured at all. */
export const isKept = ({ figures, breaches }: Verdict): boolean =>
  breaches.length === 0 && figures.length > 0;

/** What came of a run, for people. */
export function renderResult(name: string, result: RunResult): string {
  const { bus, seed, seconds, machine, figures, breaches, kept } = result;
  const lines: readonly (readonly [string, string | number])[] = [
    ['bus, seed', `${bus}, ${seed}`],
    ['seconds', `${seconds} (${machine.cores} cores, load ${machine.load.toFixed(1)})`],
    ...figures,
    ['promise', kept ? 'kept' : `BROKEN: ${breaches.length || 'nothing was measured'}`],
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  return [
    '',
    name,
    ...lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`),
    ...breaches.map((breach) => `  BREACH: ${breach}`),
    '',
    '',
  ].join('\n');
}

/** `a: 1, b: 2`, in the order of the names. */
export const describeCounts = (counts: Iterable<readonly [string, number]>): string =>
  [...counts]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');

/** How often each word comes. */
export function countBy(words: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The value below which that share of the values lies (nearest rank); NaN where there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
