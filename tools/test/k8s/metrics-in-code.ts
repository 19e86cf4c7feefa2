import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './manifests';

export interface CodeMetric {
  readonly name: string;
  readonly labels: readonly string[];
  readonly isHistogram: boolean;
}

/** The source folders of all code that runs in production. */
export function sources(): string[] {
  return ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(ROOT, group)).flatMap((project) => {
      const folder = join(ROOT, group, project, 'src');
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !/\.(spec|contract)\./.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8'));
    }),
  );
}

/** All our metrics: every object with `name: 'vitrine_…'`, with its `labelNames`. */
export function metricsIn(texts: readonly string[]): CodeMetric[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/name: '(vitrine_[a-z_]+)',/g)].map((match) => {
      const name = match[1] ?? '';
      const before = text.slice(0, match.index);
      const rest = text.slice(match.index + match[0].length);
      // Up to the end of the object that contains the name.
      const object = rest.slice(0, rest.search(/^ *\}\)/m));
      const labels = /labelNames: \[([^\]]*)\]/.exec(object)?.[1] ?? '';
      return {
        name,
        labels: [...labels.matchAll(/'([a-z_]+)'/g)].map(([, label = '']) => label),
        isHistogram: /new Histogram(<[^>]*>)?\(\{\s*$/.test(before),
      };
    }),
  );
}

/** Metrics of CloudNativePG's default-monitoring ConfigMap that our rules and runbooks use. */
export const CNPG_DATABASE = [
  'cnpg_backends_max_tx_duration_seconds',
  'cnpg_backends_total',
  'cnpg_pg_database_xid_age',
  'cnpg_pg_replication_lag',
  'cnpg_pg_replication_streaming_replicas',
  'cnpg_pg_settings_setting',
] as const;
