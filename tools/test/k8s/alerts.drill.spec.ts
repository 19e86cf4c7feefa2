import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithKustomize, render, ROOT } from './manifests';
import { CNPG_DATABASE, metricsIn, sources } from './metrics-in-code';
import { findQueryProblems, groupingOf, type KnownSeries, selectorsBeyond } from './promql';

/** Metrics of Prometheus, kubelet, kube-state-metrics, cert-manager, CloudNativePG, its backup plugin, Node and RabbitMQ. */
const FOREIGN = [
  'up',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'kube_pod_container_status_restarts_total',
  'kube_deployment_status_replicas_ready',
  'certmanager_certificate_expiration_timestamp_seconds',
  'probe_success',
  'probe_ssl_earliest_cert_expiry',
  'cnpg_collector_up',
  'cnpg_pg_stat_archiver_failed_count',
  ...CNPG_DATABASE,
  'barman_cloud_cloudnative_pg_io_last_available_backup_timestamp',
];
/** Metrics that prom-client, RabbitMQ's plugin and Prometheus provide. */
const FOREIGN_KIND = /^(process|nodejs|rabbitmq|prometheus|scrape)_\w+$/;

interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: number | string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Panel {
  readonly title?: string;
  readonly targets?: readonly { readonly expr?: string }[];
  readonly panels?: readonly Panel[];
}

const kebab = (name: string): string => name.replace(/(?<!^)(?=[A-Z])/g, '-').toLowerCase();

describeWithKustomize('the rules of Prometheus', () => {
  let namespace: string;
  let rules: readonly Rule[];
  let alerts: readonly Rule[];
  let known: KnownSeries;
  const problemsOf = (query: string): string[] => findQueryProblems(query, known);

  beforeAll(() => {
    const objects = render('production', 'k8s/overlays/production').of('PrometheusRule');
    namespace = objects[0]?.metadata?.namespace ?? '';
    const groups = objects.flatMap(({ spec }) => spec?.groups ?? []);
    rules = groups.flatMap((group) => group.rules ?? []);
    alerts = rules.filter(({ alert }) => alert !== undefined);
    const texts = sources();
    known = {
      metrics: metricsIn(texts),
      recorded: new Map(rules.map(({ record = '', expr }) => [record, groupingOf(String(expr))])),
      foreign: FOREIGN,
      sources: texts,
    };
  });

  it('use only metrics of the code', () => {
    const problems = rules.flatMap(({ record, alert, expr }) =>
      problemsOf(String(expr)).map((problem) => `${record ?? alert}: ${problem}`),
    );

    expect(problems).toEqual([]);
  });

  it.each([
    ['sum(rate(vitrine_http_request_seconds_count[5m])', "can't be read"],
    ['vitrine_invented_total > 1', 'no code creates vitrine_invented_total'],
    ['rate(vitrine_http_request_seconds[5m])', 'no code creates vitrine_http_request_seconds'],
    ['vitrine_outbox_oldest_seconds{queue="x"}', 'has no label queue'],
    ['sum by (queue) (vitrine_outbox_oldest_seconds)', 'no metric in it has the label queue'],
    ['vitrine_bus_queue_messages{state="lingering"}', 'state is never lingering'],
    ['job:vitrine_invented:rate5m > 1', 'no code creates job:vitrine_invented:rate5m'],
  ])('are reported if one is %p', (query, problem) => {
    expect(problemsOf(query).join()).toContain(problem);
  });

  it('concern only the namespace of the installation, and say it', () => {
    for (const { record, alert, expr, labels = {} } of rules) {
      const beyond = selectorsBeyond(namespace, String(expr));
      expect([record ?? alert, labels['namespace'], beyond]).toEqual([record ?? alert, namespace, []]);
    }
    expect(selectorsBeyond(namespace, 'absent(up{job="x"})')).toEqual(['up{job="x"}']);
  });

  it('have a duration, a severity, a summary and a runbook', () => {
    for (const { alert, annotations = {}, labels = {}, for: duration } of alerts) {
      expect({ alert, duration, ...labels, ...annotations }).toEqual({
        alert,
        namespace,
        duration: expect.stringMatching(/^\d+[mh]$/),
        severity: expect.stringMatching(/^(page|ticket)$/),
        summary: expect.stringMatching(/\.$/),
        description: expect.stringMatching(/\.$/),
        runbook_url: expect.stringMatching(new RegExp(`/runbooks/${kebab(alert ?? '')}\\.md$`)),
      });
    }
  });

  it('have a runbook for each alert, and an alert for each runbook', () => {
    const names = new Set(alerts.map(({ alert = '' }) => `${kebab(alert)}.md`));
    const pages = readdirSync(join(ROOT, 'docs/runbooks')).filter((file) => file !== 'README.md');

    expect(pages.sort()).toEqual([...names].sort());
  });

  it('have runbooks that name only existing objects of the cluster', () => {
    const text = readdirSync(join(ROOT, 'docs/runbooks'))
      .map((page) => readFileSync(join(ROOT, 'docs/runbooks', page), 'utf8'))
      .join('\n');
    const named = [
      ...text.matchAll(/kubectl [^`\n]*?\b(deployment|cronjob|cluster|scaledobject)[/ ]([a-z][a-z-]+)\b/g),
    ];
    const known = new Set(
      render('production', 'k8s/overlays/production').objects.map(
        ({ kind, metadata }) => `${kind?.toLowerCase()} ${metadata?.name}`,
      ),
    );
    const objects = named.map(([, kind, name]) => `${kind} ${name}`);
    // Of cert-manager itself.
    const missing = objects.filter((each) => !known.has(each) && each !== 'deployment cert-manager');
    expect(objects.length).toBeGreaterThan(6);
    expect(missing).toEqual([]);
  });

  it('record each series once, under a name that contains its labels', () => {
    const names = rules.flatMap(({ record }) => record ?? []);

    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z_]+:vitrine_[a-z_]+:[a-z0-9_]+$/);
  });

  it('the panels of the dashboard use only existing metrics and recorded series', () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: readonly Panel[] };
    const flat = panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]);
    const queries = flat.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr }) => (expr ? [{ title, query: withoutVariables(expr) }] : [])),
    );

    const problems = queries.flatMap(({ title, query }) =>
      problemsOf(query)
        .filter((problem) => !FOREIGN_KIND.test(problem.replace('no code creates ', '')))
        .map((problem) => `${title}: ${problem}`),
    );

    expect(queries.length).toBeGreaterThan(10);
    expect(problems).toEqual([]);
  });
});

const DASHBOARD = join(ROOT, 'k8s/base/monitoring/vitrine.json');

/** Values for Grafana's variables, so that PromQL can be parsed. */
const withoutVariables = (query: string): string =>
  query.replace(/\$__(rate_interval|interval|range)/g, '5m').replace(/\$\{?\w+(:\w+)?\}?/g, 'x');
