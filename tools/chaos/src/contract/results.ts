import type { Bus, Verdict } from './scenario';

/** One run of one scenario, as stored in artefacts/chaos/<scenario>.json. */
export interface RunResult {
  readonly bus: Bus;
  readonly seed: number;
  readonly settings: Readonly<Record<string, number>>;
  readonly at: string;
  /** Cores of the machine, and its load average over the last minute at the end of the run. */
  readonly machine: { readonly cores: number; readonly load: number };
  readonly seconds: number;
  readonly kept: boolean;
  readonly figures: Verdict['figures'];
  readonly breaches: Verdict['breaches'];
}

/** A promise counts as kept when there is no breach and something was measured. */
export const isKept = ({ figures, breaches }: Verdict): boolean =>
  breaches.length === 0 && figures.length > 0;

/** The result of a run as readable text. */
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

/** `a: 1, b: 2`, sorted by name. */
export const describeCounts = (counts: Iterable<readonly [string, number]>): string =>
  [...counts]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');

/** How often each word occurs. */
export function countBy(words: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
