import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stringify } from 'yaml';
import { read } from '../house/tracked-files';
import {
  describeWithKustomize,
  findKustomize,
  type KubernetesObject,
  type Manifests,
  objectsIn,
  RENDERED,
  render,
  renderAll,
  ROOT,
} from './manifests';
import { SERVICES } from './policies/policy';

const COMPONENT = 'app.kubernetes.io/component';
const idOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

/** Whether a selector such as `key in (a, b)`, `key notin (a)`, `key=a` or `key` selects an object. */
function isSelected(selector: string, { metadata }: KubernetesObject): boolean {
  const [, key = '', operator, list = ''] =
    /^(\S+?)(?: (in|notin) \((.*)\)|(?==))?(?:=.*)?$/.exec(selector) ?? [];
  const value = metadata.labels?.[key];
  const equals = /=(.*)$/.exec(selector)?.[1];
  if (equals !== undefined) return value === equals;
  if (operator === undefined) return value !== undefined;
  return (operator === 'in') === list.split(/, */).includes(value ?? '');
}

describeWithKustomize('the order of a rollout', () => {
  let rendered: readonly Manifests[];
  let folder: string;

  beforeAll(() => {
    rendered = renderAll();
    folder = mkdtempSync(join(tmpdir(), 'vitrine-roll-out-'));
    mkdirSync(join(folder, 'secrets'));
    // Renders like kubectl, records its other calls, and keeps Secrets as files.
    const kubectl = join(folder, 'kubectl');
    writeFileSync(
      kubectl,
      `#!/bin/sh
if [ "$1" = kustomize ]; then exec "${findKustomize()}" build "$2"; fi
[ "$3 $4" != "get secret" ] || exec test -e "$HERE/secrets/$5"
[ "$3 $4" != "create secret" ] || { cat >"$HERE/secrets/$6"; exit; }
for each; do printf '%s\\t' "$each"; done >>"$HERE/calls"; echo >>"$HERE/calls"
`,
    );
    chmodSync(kubectl, 0o755);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (script: string, ...args: readonly string[]) =>
    spawnSync('sh', [join(ROOT, 'k8s', script), ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env['PATH']}`, HERE: folder },
    });

  /** The calls of kubectl by which roll-out.sh works, each with the selector. */
  function callsOf(...args: readonly string[]): { readonly verb: string; readonly selector: string }[] {
    rmSync(join(folder, 'calls'), { force: true });
    expect(run('roll-out.sh', ...args)).toMatchObject({ status: 0, stderr: '' });
    const lines = readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => {
      const words = line.split('\t');
      const verb = words.find((word) => ['apply', 'delete', 'rollout', 'wait'].includes(word)) ?? line;
      return { verb, selector: words[words.indexOf('--selector') + 1] ?? '' };
    });
  }

  /** The number of the step in which each object is applied. */
  function stepsOf(manifests: Manifests, ...options: readonly string[]): Map<string, number> {
    const folderOf = RENDERED[manifests.overlay as keyof typeof RENDERED];
    const applied = callsOf(...options, folderOf).filter(({ verb }) => verb === 'apply');
    const steps = new Map<string, number>();
    applied.forEach(({ selector }, step) => {
      // kubectl fails if it has nothing to apply.
      expect(manifests.objects.filter((object) => isSelected(selector, object))).not.toEqual([]);
      for (const object of manifests.objects)
        if (isSelected(selector, object) && !steps.has(idOf(object))) steps.set(idOf(object), step);
    });
    return steps;
  }

  const stepOf = (steps: Map<string, number>, wanted: RegExp): number[] =>
    [...steps].filter(([id]) => wanted.test(id)).map(([, step]) => step);

  it('applies every object, consumers before producers, and what visitors reach last', () => {
    for (const manifests of rendered) {
      const steps = stepsOf(manifests);
      expect(manifests.objects.map(idOf).filter((id) => !steps.has(id))).toEqual([]);
      expect(
        stepOf(steps, /^(Job|ConfigMap|Cluster|RabbitmqCluster|ExternalSecret|NetworkPolicy) /),
      ).not.toContain(1);
      expect(new Set(stepOf(steps, /^(Job|ConfigMap|Cluster|RabbitmqCluster|NetworkPolicy) /))).toEqual(
        new Set([0]),
      );
      expect(stepOf(steps, /^Deployment (media-processor|moderation-service)$/)).toEqual([1, 1]);
      expect(new Set(stepOf(steps, /^Deployment (api-gateway|upload-service|website|nginx)$/))).toEqual(
        new Set([2]),
      );
      expect(stepOf(steps, /^(Ingress|Gateway|HTTPRoute) /).every((step) => step === 3)).toBe(true);
    }
  });

  it('waits for each step before the next one', () => {
    expect(callsOf(RENDERED.production).map(({ verb }) => verb)).toEqual([
      ...['delete', 'apply', 'wait', 'wait', 'wait'],
      ...['apply', 'rollout', 'apply', 'rollout', 'apply'],
    ]);
  });

  it('goes back in the other order, without the Jobs and the engines', () => {
    const [, production] = rendered as [Manifests, Manifests];
    const steps = stepsOf(production, '--rollback');
    const left = production.objects.map(idOf).filter((id) => !steps.has(id));

    expect(left.sort()).toEqual([
      'Cluster vitrine-postgres',
      `Job declare-queues-${VERSION}`,
      `Job migrate-${VERSION}`,
      'RabbitmqCluster vitrine-rabbitmq',
    ]);
    expect(stepOf(steps, /^ConfigMap vitrine-common/)).toEqual([0]);
    expect(stepOf(steps, /^Deployment (api-gateway|upload-service|website)$/)).toEqual([1, 1, 1]);
    expect(stepOf(steps, /^Deployment (media-processor|moderation-service)$/)).toEqual([2, 2]);
  });

  it('is the same in the sync waves of Argo CD', () => {
    const wave = ({ metadata }: KubernetesObject): number =>
      Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
    for (const manifests of rendered) {
      const waves = new Map(manifests.objects.map((object) => [idOf(object), wave(object)]));
      const late = manifests.objects.filter(({ kind, metadata }) => {
        const component = metadata.labels?.[COMPONENT];
        const [least, most] =
          kind === 'Job'
            ? [-1, -1]
            : component === 'edge'
              ? [2, 2]
              : /^(Deployment|HorizontalPodAutoscaler)$/.test(kind) && /^(host|proxy)$/.test(component ?? '')
                ? [1, 1]
                : /^(Cluster|RabbitmqCluster)$/.test(kind)
                  ? [-2, -2]
                  : /^(ExternalSecret|Certificate|Issuer)$/.test(kind)
                    ? [-3, -3]
                    : [-3, 0];
        const own = waves.get(`${kind} ${metadata.name}`) ?? 0;
        return own < least || own > most;
      });
      expect(late.map(idOf)).toEqual([]);
    }
  });

  it('is the same with Flux, and each step uses the names of the others', () => {
    const flux = objectsIn(read('k8s/examples/flux.yaml')) as FluxObject[];
    const seen = new Map<string, string[]>();
    for (const { kind, metadata, spec } of flux) {
      if (kind !== 'Kustomization') continue;
      const overlay = join(folder, metadata.name);
      mkdirSync(overlay);
      writeFileSync(
        join(overlay, 'kustomization.yaml'),
        stringify({ resources: [relative(overlay, join(ROOT, spec.path))], patches: spec.patches }),
      );
      const { objects } = render(metadata.name, overlay);
      const own = objects.filter(
        (it) => it.metadata.annotations?.['kustomize.toolkit.fluxcd.io/ssa'] !== 'Ignore',
      );
      for (const object of own) seen.set(idOf(object), [...(seen.get(idOf(object)) ?? []), metadata.name]);
    }
    const production = rendered[1] as Manifests;
    // Else the first step deletes the settings of pods that the last one replaces.
    for (const { metadata } of production.of('ConfigMap'))
      expect(metadata?.annotations).toMatchObject({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled' });
    expect([...seen.keys()].sort()).toEqual(production.objects.map(idOf).sort());
    expect([...seen].filter(([, steps]) => steps.length !== 1)).toEqual([]);
    for (const name of SERVICES)
      expect(seen.get(`Deployment ${name}`)).toEqual([
        /processor|moderation/.test(name) ? 'vitrine-consumers' : 'vitrine-producers',
      ]);
    expect(flux.map(({ spec }) => spec.dependsOn?.[0]?.name)).toEqual([
      undefined,
      undefined,
      'vitrine-groundwork',
      'vitrine-consumers',
    ]);
  });

  it('has a script that generates every secret of the vault once', () => {
    const overlay = RENDERED.components;
    const kept = (): string[] =>
      ['vitrine-bus', 'vitrine-site'].map((name) => readFileSync(join(folder, 'secrets', name), 'utf8'));
    const names = rendered
      .find((it) => it.overlay === 'components')
      ?.of('ExternalSecret')
      .flatMap(({ spec }) => spec?.data ?? [])
      .map(({ remoteRef }) => remoteRef?.key ?? '');

    const first = run('make-secrets.sh', overlay);
    const before = kept();
    const second = run('make-secrets.sh', overlay);

    expect([first.status, second.status]).toEqual([0, 0]);
    expect(before.every((value) => /^[0-9a-f]{48}$/.test(value)) && before[0] !== before[1]).toBe(true);
    expect(kept()).toEqual(before);
    for (const name of new Set(names)) {
      // Every store of secrets accepts these.
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(
        existsSync(join(folder, 'secrets', name)) || first.stderr.includes(`${name}: set it yourself`),
      ).toBe(true);
    }
    expect(second.stderr).toContain('vitrine-bus: kept');
  });
});

interface FluxObject extends KubernetesObject {
  readonly spec: {
    readonly path: string;
    readonly patches?: readonly object[];
    readonly dependsOn?: readonly { readonly name: string }[];
  };
}

const VERSION = (JSON.parse(read('package.json')) as { version: string }).version;
