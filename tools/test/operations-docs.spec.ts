import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { parseAllDocuments } from 'yaml';
import { CNPG_DATABASE, metricsIn, sources } from './k8s/metrics-in-code';
import { findQueryProblems, groupingOf, type KnownSeries } from './k8s/promql';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const inFolder = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const runbooks = inFolder('docs/runbooks').filter((path) => !path.endsWith('README.md'));
/** Only our own metrics and settings; the other guides have their own tests. */
const guides = ['upgrade', 'backup', 'scaling'].map((name) => `docs/guides/${name}.md`);
const pages = [...runbooks, 'docs/runbooks/README.md', ...guides, 'docs/security.md', 'SECURITY.md'];

const SECTIONS = [
  'What it means for users',
  'First look',
  'Likely causes, in order',
  'What to do',
  'How to know that it is over',
  'How to prevent it',
];

/** Metrics of Prometheus, Node, kubelet, kube-state-metrics, cert-manager and CloudNativePG. */
const FOREIGN = [
  'up',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
  'kube_pod_container_status_last_terminated_reason',
  'container_memory_working_set_bytes',
  'certmanager_certificate_expiration_timestamp_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'probe_http_status_code',
  'probe_ssl_earliest_cert_expiry',
  ...CNPG_DATABASE,
];

/** The contents of a page's fenced code blocks in a language. */
const blocks = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

describe('the pages for operators', () => {
  it('have all required sections in each runbook', () => {
    expect(runbooks.length).toBeGreaterThanOrEqual(20);
    for (const path of runbooks) {
      const heads = [...read(path).matchAll(/^## (.*)$/gm)].map(([, head]) => head);
      expect([path, heads]).toEqual([path, SECTIONS]);
      expect([path, /^\*\*Severity\*\*: .*(page|ticket)/m.test(read(path))]).toEqual([path, true]);
    }
  });

  it('are all in the index of the runbooks', () => {
    const index = read('docs/runbooks/README.md');
    const listed = [...index.matchAll(/^\| \[\w+\]\(([\w-]+\.md)\)/gm)].map(
      ([, name]) => `docs/runbooks/${name}`,
    );
    expect(listed.sort()).toEqual([...runbooks].sort());
  });

  it('have no broken links', () => {
    const broken = pages.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g)]
        .map(([, target = '']) => join(dirname(path), target))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('query only metrics that exist', () => {
    const texts = sources();
    const rules = parseAllDocuments(read('k8s/base/monitoring/prometheus-rules.yaml')).flatMap((document) => {
      const { spec } = document.toJS() as {
        spec: { groups: readonly { rules: readonly { record?: string; expr: string }[] }[] };
      };
      return spec.groups.flatMap((group) => group.rules);
    });
    const known: KnownSeries = {
      metrics: metricsIn(texts),
      recorded: new Map(rules.map(({ record = '', expr }) => [record, groupingOf(expr)])),
      foreign: FOREIGN,
      sources: texts,
    };
    const queries = pages.flatMap((path) =>
      blocks(read(path), 'promql').flatMap((block) =>
        block
          .trim()
          .split('\n')
          .map((query) => ({ path, query })),
      ),
    );
    expect(queries.length).toBeGreaterThan(40);
    const problems = queries.flatMap(({ path, query }) =>
      findQueryProblems(query, known).map((problem) => `${path}: ${problem} in ${query}`),
    );
    expect(problems).toEqual([]);
    const named = pages.flatMap((path) => read(path).match(/(?<!:)\bvitrine_[a-z_]+/g) ?? []);
    const made = known.metrics.flatMap(({ name }) => [
      name,
      `${name}_count`,
      `${name}_bucket`,
      `${name}_sum`,
    ]);
    expect(named.filter((name) => !made.includes(name))).toEqual([]);
  });

  it('query only tables and columns of PostgreSQL that exist', async () => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      const statements = pages.flatMap((path) =>
        blocks(read(path), 'sql').flatMap((block) =>
          block
            .replaceAll(/--.*$/gm, '')
            .split(';')
            .map((statement) => statement.trim())
            .filter((statement) => statement !== '')
            .map((statement) => ({ path, statement })),
        ),
      );
      expect(statements.length).toBeGreaterThan(12);
      for (const { path, statement } of statements) {
        const outcome = await client.query(statement).then(
          () => 'answers',
          (error: Error) => error.message,
        );
        expect([path, statement, outcome]).toEqual([path, statement, 'answers']);
      }
    } finally {
      await client.end();
      await database.drop();
    }
  });

  it('name only existing settings', () => {
    const settings = new Set(
      [...read('.env.example').matchAll(/^# ([A-Z_0-9]+)=/gm)].map(([, name]) => name),
    );
    const named = pages.flatMap((path) =>
      [...read(path).matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map(([, name]) => ({ path, name })),
    );
    /** Words of PostgreSQL and RabbitMQ. */
    const foreign = new Set(['ACCESS_REFUSED']);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ name = '' }) => !settings.has(name) && !foreign.has(name))).toEqual([]);
  });

  it('name only existing commands of the operator’s tool', () => {
    const commands = readdirSync(join(root, 'tools/admin/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => !file.endsWith('.spec.ts'))
      .flatMap((file) => [...read(`tools/admin/src/${file}`).matchAll(/^ {2}name: '([a-z-]+)',$/gm)])
      .map(([, name]) => name);
    const named = pages.flatMap((path) =>
      [...read(path).matchAll(/(?:vadmin|npm run admin --|run --rm admin) ([a-z][a-z-]*)/g)].map(
        ([, name]) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !commands.includes(name))).toEqual([]);
  });
});
