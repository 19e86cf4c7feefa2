import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readCompose } from './compose-file';
import { ROOT } from './docker-build';

interface Placed {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const dashboard = JSON.parse(read('k8s/base/monitoring/vitrine.json')) as { panels: readonly Placed[] };

describe('the dashboard', () => {
  it('comes with the rules of Prometheus that match their source', () => {
    const program = join(ROOT, 'tools/dev/dist/alert-rules/main.js');

    const check = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' });

    expect([check.stderr, check.status]).toEqual(['', 0]);
  });

  it('places panels without overlap, each with a title and a description', () => {
    const taken = new Set<string>();
    for (const { type, title, description, gridPos } of dashboard.panels) {
      expect([title, type === 'row' || (description ?? '').length > 15]).toEqual([title, true]);
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, taken.has(`${x},${y}`)]).toEqual([title, false]);
          taken.add(`${x},${y}`);
        }
      }
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

describe('what Prometheus reads in Compose', () => {
  interface Scrape {
    readonly job_name: string;
    readonly dns_sd_configs?: readonly { readonly names: readonly string[]; readonly port: number }[];
    readonly static_configs?: readonly { readonly targets: readonly string[] }[];
    readonly relabel_configs?: readonly { readonly target_label: string }[];
  }
  const { scrape_configs: scrapes, rule_files: ruleFiles } = parse(
    read('docker/prometheus/prometheus.yml'),
  ) as {
    scrape_configs: readonly Scrape[];
    rule_files: readonly string[];
  };
  const { services } = readCompose();

  it('are all services, under the names that the rules use', () => {
    const named = scrapes.filter(({ dns_sd_configs }) => dns_sd_configs);
    expect(named.map(({ job_name }) => job_name)).toEqual(
      Object.keys(services)
        .filter((name) => /^vitrine\/(?!admin)/.test(services[name]?.image ?? ''))
        // It has nginx's addresses.
        .map((name) => (name === 'nginx-metrics' ? 'nginx' : name)),
    );
    for (const { job_name, dns_sd_configs: [where] = [] } of named) {
      expect([where?.names, where?.port]).toEqual([[job_name], 9100]);
    }
  });

  it('are all jobs of the rules, with the labels that they group by', () => {
    const jobs = [...read('docker/prometheus/rules.yaml').matchAll(/\bup\{[^}]*\bjob=~?"([^"]+)"/g)];
    const asked = new Set(jobs.flatMap(([, names = '']) => names.split('|')));
    expect(asked.size).toBeGreaterThan(5);
    for (const name of asked) {
      const scrape = scrapes.find(({ job_name }) => job_name === name);
      const labels = scrape?.relabel_configs?.map(({ target_label }) => target_label);
      expect([name, labels]).toEqual([name, ['namespace', 'pod']]);
    }
  });

  it('can be reached from it', () => {
    const hosts = scrapes.flatMap(({ dns_sd_configs = [], static_configs = [] }) => [
      ...dns_sd_configs.flatMap(({ names }) => names),
      ...static_configs.flatMap(({ targets }) => targets.map((target) => target.replace(/:.*/, ''))),
    ]);
    const own = new Set(services['prometheus']?.networks);
    for (const host of hosts.filter((each) => each !== '127.0.0.1')) {
      expect([host, services[host]?.networks?.some((network) => own.has(network))]).toEqual([host, true]);
    }
  });

  it('and every file that is mounted into it and into Grafana exists', () => {
    for (const name of ['prometheus', 'grafana', 'rabbitmq']) {
      const mounted = (services[name]?.volumes ?? []).filter((volume) => volume.startsWith('.'));
      expect(mounted.length).toBeGreaterThan(0);
      for (const volume of mounted) {
        const [source = '', , mode] = volume.split(':');
        expect([volume, existsSync(join(ROOT, 'docker', source)), mode]).toEqual([volume, true, 'ro']);
      }
    }
    const targets = (services['prometheus']?.volumes ?? []).map((volume) => volume.split(':')[1]);
    expect(targets).toEqual(expect.arrayContaining([...ruleFiles]));
  });
});
