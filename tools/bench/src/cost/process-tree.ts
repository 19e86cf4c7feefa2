import { readFileSync } from 'node:fs';
import { descendantsOf, processorTimeOf } from '../processes/process-usage';

/** What a process and its descendants hold and have used, by name; `all` is their sum. */
export type Usage = ReadonlyMap<string, number>;

/** The processes below one process, grouped by the program that they belong to. */
export class ProcessTree {
  constructor(private readonly root: number) {}

  /** Milliseconds of processor time since each process started, with those of descendants that have ended. */
  processorTime(): Usage {
    return this.sum(processorTimeOf);
  }

  /** Mebibytes of memory; a page that several processes share is divided among them (PSS). */
  memory(): Usage {
    return this.sum((pid) => {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024;
    });
  }

  private sum(measure: (pid: number) => number): Usage {
    const groups = new Map<string, number>([['all', 0]]);
    for (const pid of [this.root, ...descendantsOf(this.root)]) {
      try {
        const [name, value] = [groupOf(pid), measure(pid)];
        groups.set(name, (groups.get(name) ?? 0) + value);
        groups.set('all', (groups.get('all') ?? 0) + value);
      } catch {
        // The process has ended; its parent has its processor time.
      }
    }
    return groups;
  }
}

function groupOf(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  if (command.includes('classifier-child')) return 'classifier';
  if (/^postgres|\/postgres /.test(command)) return 'PostgreSQL';
  const service = /apps\/([a-z-]+)\/dist/.exec(command)?.[1];
  return service ?? 'npm start';
}

/** The difference of two readings. */
export const since = (before: Usage, after: Usage): Usage =>
  new Map([...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)]));

/** The mean of usages that have the same groups. */
export const meanUsage = (usages: readonly Usage[]): Usage =>
  new Map(
    [...(usages[0]?.keys() ?? [])].map((name) => [
      name,
      usages.reduce((sum, usage) => sum + (usage.get(name) ?? 0), 0) / usages.length,
    ]),
  );

/** One line with the share of each group, the largest first. */
export const shares = (usage: Usage, unit: string, divisor = 1): string =>
  [...usage]
    .filter(([name]) => name !== 'all')
    .sort(([, a], [, b]) => b - a)
    .map(([name, value]) => `${name} ${(value / divisor).toFixed(1)}`)
    .join(' · ') + ` ${unit}`;
