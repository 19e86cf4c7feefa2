import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServiceProcess } from '@vitrine/testing';

/** One line of a metrics page. */
export interface Sample {
  /** The metric's name, without `_bucket`, `_sum` or `_count`. */
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricsPage {
  readonly text: string;
  /** Only our metrics: kind by name. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
}

/** A row of the table in docs/observability.md. */
export interface DocumentedMetric {
  readonly name: string;
  readonly kind: string;
  readonly labels: readonly string[];
  readonly processes: readonly string[];
  /** The setting that the metric needs. */
  readonly onlyWith: string | undefined;
}

const PROCESS_NAMES: Readonly<Record<string, string>> = {
  api: 'api-gateway',
  upload: 'upload-service',
  processor: 'media-processor',
  moderation: 'moderation-service',
  website: 'website',
};

export async function scrape({ managementUrl }: Pick<ServiceProcess, 'managementUrl'>): Promise<MetricsPage> {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  const kinds = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, metric, kind] = /^# TYPE (vitrine_\w+) (\w+)$/.exec(line) ?? [];
    if (metric && kind) kinds.set(metric, kind);
    const [, name = '', labels = '', value] = /^(vitrine_\w+?)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined) continue;
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    samples.push({
      metric: kinds.get(base) === 'histogram' ? base : name,
      labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])),
      value: Number(value),
    });
  }
  return { text, kinds, samples };
}

export function documentedMetrics(): readonly DocumentedMetric[] {
  const text = readFileSync(resolve(__dirname, '../../../docs/observability.md'), 'utf8');
  return [...text.matchAll(/^\| `(vitrine_\w+)` +\|(.*)\|$/gm)].map(([, name = '', rest = '']) => {
    const [kind = '', labels = '', processes = ''] = rest.split('|').map((cell) => cell.trim());
    const names = processes.replace(/\(.*\)/, '').split(',');
    return {
      name,
      kind,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
      processes:
        processes === 'all'
          ? Object.values(PROCESS_NAMES)
          : names.map((short) => PROCESS_NAMES[short.trim()] ?? short),
      onlyWith: /`(\w+)`/.exec(processes)?.[1],
    };
  });
}
