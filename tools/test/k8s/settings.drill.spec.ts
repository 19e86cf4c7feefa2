import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environmentOf } from './environment';
import { describeWithKustomize, type Manifests, renderAll } from './manifests';
import { SERVICES } from './policies/policy';

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
  }, 120_000);

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

  it('are reported if they are wrong', () => {
    const { problems = [] } = checked.processes['broken/upload-service'] ?? {};

    expect(problems.join('\n')).toMatch(/DATABASE_URL is not set/);
    expect(problems.join('\n')).toMatch(/STORAGE_URL must/);
    expect(problems.join('\n')).toMatch(/MAX_CONCURRENT_UPLOADS must/);
  });
});

/** A process that needs one of the four addresses gets all of them. */
const SHARED = /: PUBLIC_(API|UPLOAD|CDN|SITE)_URL$/;
