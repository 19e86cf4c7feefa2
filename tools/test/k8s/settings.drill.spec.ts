import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sizeOf } from '../../bench/src/sizes/model';
import { LOADS } from '../../bench/src/sizes/table';
import { read } from '../house/tracked-files';
import { environmentOf } from './environment';
import {
  describeWithKustomize,
  type Manifests,
  objectsIn,
  RENDERED,
  renderAll,
  renderText,
} from './manifests';
import { SERVICES } from './policies/policy';
import { most } from './policies/rollouts';

interface Checked {
  /** The key is "overlay/process". */
  readonly processes: Readonly<
    Record<string, { readonly problems: string[]; readonly doubts: string[]; readonly settings: string[] }>
  >;
  /** All settings that a library declares. */
  readonly declared: readonly string[];
}

/** Variables that Node, glibc and OpenSSL read. */
const NOT_OURS = ['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];
/** Settings that are given to all processes although most don't use them. */
const COMMON = ['VITRINE_DATA_DIR', 'MANAGEMENT_HOST', 'MANAGEMENT_PORT', 'LOG_FORMAT', 'LOG_LEVEL'];

type Environments = Record<string, Record<string, string>>;

/** The processes that read their settings when they start, each with the environment of its container. */
function environmentsOf(manifests: Manifests): Environments {
  return Object.fromEntries(
    [...SERVICES, 'migrate', 'declare-queues'].map((name) => {
      const { environment } = environmentOf(manifests, manifests.workload(name).container);
      return [`${manifests.overlay}/${name}`, { ...environment }];
    }),
  );
}

function check(environments: Environments): Checked {
  const program = join(__dirname, 'check-settings.mjs');
  const input = JSON.stringify(environments);
  const run = spawnSync(process.execPath, [program], { input, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  // Lines before it come from loading the apps.
  return JSON.parse(run.stdout.slice(run.stdout.lastIndexOf('\n') + 1)) as Checked;
}

describeWithKustomize('the settings in the manifests', () => {
  let rendered: readonly Manifests[];
  let checked: Checked;

  beforeAll(() => {
    rendered = renderAll();
    const broken = environmentsOf(rendered[1] as Manifests)['production/upload-service'] ?? {};
    delete broken['DATABASE_URL'];
    Object.assign(broken, { STORAGE_URL: 's3://', MAX_CONCURRENT_UPLOADS: 'many' });
    checked = check(
      Object.assign({}, ...rendered.map(environmentsOf), { 'broken/upload-service': broken }) as Environments,
    );
  });

  it('let every process start without a warning', () => {
    const said = Object.entries(checked.processes)
      .filter(([key]) => !key.startsWith('broken/'))
      .flatMap(([key, { problems, doubts }]) => [...problems, ...doubts].map((what) => `${key}: ${what}`));

    expect(said).toEqual([]);
  });

  it('are read by the process that they are set for', () => {
    const idle = rendered.flatMap((manifests) =>
      manifests.ownWorkloads().flatMap(({ name, container }) => {
        const read = checked.processes[`${manifests.overlay}/${name}`]?.settings ?? checked.declared;
        const known = [...NOT_OURS, ...COMMON, ...read];
        const given = Object.keys(environmentOf(manifests, container).environment);
        return given.filter((setting) => !known.includes(setting)).map((setting) => `${name}: ${setting}`);
      }),
    );

    expect([...new Set(idle)].filter((line) => !SHARED.test(line))).toEqual([]);
  });

  it('come from settings.yaml, so that no value of the example is left', () => {
    const components = renderText(RENDERED.components);
    for (const text of [components, renderText('k8s/overlays/production')])
      expect(text).not.toMatch(/image: vitrine\//);
    const example = objectsIn(read('k8s/overlays/production/settings.yaml'))[0] as { data?: object };
    const common = objectsIn(read('tools/test/k8s/settings/settings.yaml'))[0] as { data?: object };
    // VERSION is the same; the other two are also values of something else.
    const ambiguous = ['VERSION', 'TRUSTED_PROXIES', 'BACKUP_BUCKET'];
    const differing = Object.entries(example.data ?? {}).filter(([key]) => !ambiguous.includes(key));

    // Not as the beginning of a longer name.
    const named = (value: string): boolean =>
      components
        .split(value)
        .slice(1)
        .some((rest) => !/^[\w-]/.test(rest));
    expect(differing.filter(([, value]) => named(value as string))).toEqual([]);
    // Only production has alerts and aws-roles.
    const unused = Object.entries(common.data ?? {}).filter(
      ([, value]) => !components.includes(value as string),
    );
    expect(unused.map(([key]) => key)).toEqual(['RUNBOOK_HOST', 'ROLES']);
  });

  it.each([
    ['volume', 'S'],
    ['production', 'M'],
    ['components', 'L'],
  ])('of %s give a site of the size %s what `npm run sizes` computes, and room to grow', (overlay, name) => {
    const manifests = rendered.find((each) => each.overlay === overlay) as Manifests;
    const { pods, database } = sizeOf(LOADS.find((load) => load.name === name)!);
    const cluster = manifests.get('Cluster', 'vitrine-postgres').spec;

    for (const [service, count] of Object.entries(pods))
      expect([service, most(manifests, service) >= 1.5 * count]).toEqual([service, true]);
    expect(cluster.resources?.requests).toEqual({
      cpu: String(database.cores),
      memory: `${database.gigabytes}Gi`,
    });
    expect(cluster.postgresql?.parameters?.['shared_buffers']).toBe(`${database.gigabytes / 4}GB`);
    expect(cluster.instances).toBeGreaterThan(database.replicas);
  });

  it('are reported if they are wrong', () => {
    const { problems = [] } = checked.processes['broken/upload-service'] ?? {};

    expect(problems.join('\n')).toMatch(/DATABASE_URL is not set/);
    expect(problems.join('\n')).toMatch(/STORAGE_URL must/);
    expect(problems.join('\n')).toMatch(/MAX_CONCURRENT_UPLOADS must/);
  });
});

/** A process that needs one of the four addresses gets all of them. */
const SHARED = /: PUBLIC_(API|UPLOAD|CDN|SITE)_URL$/;
