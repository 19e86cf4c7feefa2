import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithKustomize, type Manifests, OVERLAYS, renderAll, ROOT } from './manifests';
import { connections, type Party } from './network';

/** What each process reaches in the cluster; docs/architecture.md says the same in its column "Reaches". */
const REACHES: Readonly<Record<string, readonly string[]>> = {
  'api-gateway': ['database', 'Redis', 'receivers of webhooks'],
  'upload-service': ['database', 'storage', 'bus', 'Redis'],
  'media-processor': ['bus', 'storage'],
  'moderation-service': ['database', 'storage', 'bus'],
  website: ['HTTP', 'files'],
  // Not services, so the column doesn't contain them.
  nginx: ['files', 'storage'],
  migrate: ['database'],
  'declare-queues': ['bus'],
  admin: ['database', 'storage', 'bus', 'Redis', 'HTTP outside'],
};

const RABBITMQ = [5671, 5672];
const PUBLIC = { 'api-gateway': 3000, 'upload-service': 3001, website: 3002, nginx: 8080 } as const;

/** The targets that each of these words means, in an overlay. */
const targets = (overlay: string): Readonly<Record<string, readonly string[]>> => ({
  database: ['postgres:5432'],
  bus: RABBITMQ.map((port) => `rabbitmq:${port}`),
  Redis: ['redis:6379'],
  // A volume is reached through the node.
  storage: { dev: ['storage:7070'], volume: [] }[overlay] ?? ['internet:443'],
  files: ['upload-service:3001'],
  'receivers of webhooks': ['internet:80', 'internet:443'],
  HTTP: ['api-gateway:3000'],
  'HTTP outside': ['internet:443', 'private network:443'],
});

const elsewhere = (name: string, namespace: string): Party => ({ name, namespace, labels: {} });

/** All parties in the cluster, and targets that a hijacked process might try. */
function partiesOf(manifests: Manifests): Party[] {
  const ports: Readonly<Record<string, readonly number[]>> = {
    ...Object.fromEntries(Object.entries(PUBLIC).map(([name, port]) => [name, [port, 9100]])),
    nginx: [PUBLIC.nginx, 8081, 9100],
    'media-processor': [9100],
    'moderation-service': [9100],
    redis: [6379],
    storage: [7070],
  };
  return [
    ...manifests.workloads().map(({ name, labels }) => ({ name, labels, ports: ports[name] ?? [] })),
    {
      name: 'postgres',
      labels: { 'cnpg.io/cluster': 'vitrine-postgres', 'cnpg.io/podRole': 'instance' },
      ports: [5432, 8000, 9187],
    },
    {
      name: 'rabbitmq',
      labels: { 'app.kubernetes.io/name': 'vitrine-rabbitmq', 'app.kubernetes.io/component': 'rabbitmq' },
      ports: [...RABBITMQ, 4369, 15672, 15691, 15692, 25672],
    },
    elsewhere('ingress controller', 'haproxy-controller'),
    elsewhere('gateway', 'envoy-gateway-system'),
    elsewhere('Prometheus', 'monitoring'),
    elsewhere('KEDA', 'keda'),
    elsewhere("RabbitMQ's operator", 'rabbitmq-system'),
    elsewhere("PostgreSQL's operator", 'cnpg-system'),
    { ...elsewhere('collector', 'observability'), ports: [4318] },
    { ...elsewhere('a stranger', 'default'), ports: [80, 443, 3000] },
    { name: 'internet', address: '93.184.215.14', ports: [22, 25, 80, 443] },
    { name: 'private network', address: '10.96.0.1', ports: [443, 6443] },
    { name: 'metadata service', address: '169.254.169.254', ports: [80, 443] },
  ];
}

/** The list that `connections` should return, from the table above and the pods beside the services. */
function expected(manifests: Manifests): string[] {
  const { overlay } = manifests;
  const workloads = manifests.workloads().map(({ name }) => name);
  const words = targets(overlay);
  const own = workloads
    .flatMap((name) =>
      (REACHES[name] ?? []).flatMap((word) => (words[word] ?? []).map((target) => `${name} -> ${target}`)),
    )
    // Only the networks of the storage, and the example names none that exists.
    .filter((connection) => connection !== 'media-processor -> internet:443');
  const clients = { dev: [], components: ['gateway'] }[overlay] ?? ['ingress controller'];
  const services = workloads.filter((name) => ![...NO_METRICS, 'storage', 'redis'].includes(name));
  const hosts = Object.entries(PUBLIC).filter(([name]) => workloads.includes(name));
  const all = [
    ...own,
    ...clients.flatMap((client) => hosts.map(([name, port]) => `${client} -> ${name}:${port}`)),
    ...services.map((name) => `Prometheus -> ${name}:9100`),
    ...(workloads.includes('nginx') ? ['Prometheus -> nginx:9100'] : []),
    ...['postgres:9187', 'rabbitmq:15691', 'rabbitmq:15692'].map((target) => `Prometheus -> ${target}`),
    ...RABBITMQ.map((port) => `KEDA -> rabbitmq:${port}`),
    "RabbitMQ's operator -> rabbitmq:15672",
    ...[5432, 8000].map((port) => `PostgreSQL's operator -> postgres:${port}`),
    // The instance manager calls Kubernetes, and the archive goes to the object storage.
    ...['internet:443', 'private network:443', 'private network:6443'].map(
      (target) => `postgres -> ${target}`,
    ),
    ...(overlay === 'components' ? services.map((name) => `${name} -> collector:4318`) : []),
  ];
  return [...new Set(all)].sort();
}
const NO_METRICS = ['migrate', 'declare-queues', 'admin', 'nginx'];

describeWithKustomize('the network policies', () => {
  const rendered = new Map<string, Manifests>();
  const of = (overlay: string): Manifests => rendered.get(overlay) as Manifests;

  beforeAll(() => {
    for (const each of renderAll()) rendered.set(each.overlay, each);
  });

  it.each(OVERLAYS)('of %s allow exactly the connections in the architecture page', (overlay) => {
    const manifests = of(overlay);
    expect(connections(manifests, partiesOf(manifests))).toEqual(expected(manifests));
  });

  it.each([
    ['media-processor', 'postgres:5432'],
    ['media-processor', 'redis:6379'],
    ['media-processor', 'api-gateway:3000'],
    ['media-processor', 'metadata service:80'],
    ['media-processor', 'internet:443'],
    ['media-processor', 'private network:443'],
    ['website', 'postgres:5432'],
    ['website', 'rabbitmq:5671'],
    ['website', 'internet:443'],
    ['website', 'upload-service:9100'],
    ['api-gateway', 'rabbitmq:5671'],
    ['api-gateway', 'private network:443'],
    ['api-gateway', 'metadata service:80'],
    ['api-gateway', 'internet:25'],
    ['nginx', 'postgres:5432'],
    ['nginx', 'private network:443'],
    ['a stranger', 'api-gateway:3000'],
    ['a stranger', 'nginx:8080'],
    ['a stranger', 'media-processor:9100'],
  ])('keep %s from %s', (from, to) => {
    expect(connections(of('production'), partiesOf(of('production')))).not.toContain(`${from} -> ${to}`);
  });

  it('let media-processor reach the networks of the storage', () => {
    const set = of('production').copy();
    const [rule] = set.get('NetworkPolicy', 'decoder-storage').spec?.egress ?? [];
    if (rule) rule.to = [{ ipBlock: { cidr: '93.184.215.0/24' } }];

    expect(connections(set, partiesOf(set))).toContain('media-processor -> internet:443');
  });

  it('are reported if one of them is too wide', () => {
    const loose = of('production').copy();
    loose.get('NetworkPolicy', 'media-processor').spec?.egress?.push({});

    expect(connections(loose, partiesOf(loose))).toContain('media-processor -> metadata service:80');
  });

  // Promise [security]: Network policies are those of the architecture page.
  it('are those of docs/architecture.md', () => {
    const [page = ''] = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split('## The rooms');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` +\|[^|]+\| ([^|]+?) +\|$/gm)];
    const documented = rows.map(([, name, words = '']) => [
      name,
      words.replace(' if set', '').split(', ').sort(),
    ]);
    const services = Object.entries(REACHES).filter(([name]) => !NO_METRICS.includes(name));

    expect(documented).toEqual(services.map(([name, words]) => [name, [...words].sort()]));
  });
});
