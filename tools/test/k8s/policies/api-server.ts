import type { KubernetesObject, Manifests, Workload } from '../manifests';
import { all, ofEach, type Policy, selects } from './policy';

/*
 * Rules of the API server that no schema has: it refuses these objects, or stores them differently. From the validation and
 * the defaults of Kubernetes 1.30 (pkg/apis and k8s.io/apimachinery/pkg/util/validation).
 */

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PORT_NAME = /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;
/** A controller adds to the name: eleven characters for a Job of a CronJob; CloudNativePG refuses more than 50. */
const LONGEST: Readonly<Record<string, number>> = { CronJob: 52, Job: 63, Cluster: 50, RabbitmqCluster: 50 };
const LONGEST_ANNOTATIONS = 256 * 1024;
const LARGEST_CONFIGURATION = 1024 ** 2;

const isKey = (key: string): boolean => {
  const [name = '', prefix] = key.split('/').toReversed();
  return (
    QUALIFIED.test(name) && (prefix === undefined || SUBDOMAIN.test(prefix)) && key.split('/').length < 3
  );
};
const isValue = (value: unknown): boolean =>
  typeof value === 'string' && (value === '' || QUALIFIED.test(value));

/** Every object in a tree, with the name of its field. */
function* nested(
  value: unknown,
  field = '',
): Generator<readonly [string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [field, value as Record<string, unknown>];
  for (const [key, inner] of Object.entries(value)) yield* nested(inner, Array.isArray(value) ? field : key);
}

const ofObjects = (
  name: string,
  check: (object: KubernetesObject, manifests: Manifests) => string[],
): Policy => ({
  name,
  check: (manifests) =>
    manifests.objects.flatMap((object) =>
      check(object, manifests).map((problem) => `${object.kind} ${object.metadata.name}: ${problem}`),
    ),
});

const twice = <Item>(items: readonly Item[]): Item[] =>
  items.filter((item, at) => items.indexOf(item) !== at);

export const syntax = ofObjects(
  'names, labels and annotations are as the API server accepts them',
  (object) => {
    const { kind, metadata } = object;
    const isShort = ['Service', 'Namespace'].includes(kind);
    const problems: string[] = [];
    if (!(isShort ? LABEL : SUBDOMAIN).test(metadata.name)) problems.push('has an invalid name');
    if (metadata.name.length > (LONGEST[kind] ?? 253)) problems.push('has a name that is too long');
    for (const [field, value] of nested(object)) {
      if (['labels', 'matchLabels', 'selector'].includes(field) && !('matchLabels' in value)) {
        const wrong = Object.entries(value).filter(
          ([key, each]) => typeof each === 'string' && !(isKey(key) && isValue(each)),
        );
        problems.push(...wrong.map(([key]) => `has the invalid label ${key}`));
      }
      if (field === 'annotations') {
        const wrong = Object.entries(value).filter(([key, each]) => !isKey(key) || typeof each !== 'string');
        problems.push(...wrong.map(([key]) => `has the invalid annotation ${key}`));
        if (JSON.stringify(value).length > LONGEST_ANNOTATIONS) problems.push('has too long annotations');
      }
    }
    const { data } = object as { data?: object };
    if (['ConfigMap', 'Secret'].includes(kind) && data) {
      const wrong = Object.keys(data).filter((key) => !/^[-._A-Za-z0-9]{1,253}$/.test(key));
      problems.push(...wrong.map((key) => `has the invalid key ${key}`));
      if (JSON.stringify(data).length > LARGEST_CONFIGURATION) problems.push('is larger than etcd accepts');
    }
    return problems;
  },
);

/** A quantity in any other form comes back from the API server changed, so that each comparison finds a difference. */
export const canonical = ofObjects('quantities are written as the API server stores them', (object) =>
  [...nested(object)].flatMap(([field, value]) =>
    Object.entries(value)
      .filter(
        ([key]) => ['requests', 'limits'].includes(field) || ['sizeLimit', 'averageValue'].includes(key),
      )
      .filter(([, quantity]) => typeof quantity !== 'object' && !isCanonical(quantity))
      .map(([key, quantity]) => `${key} is ${String(quantity)}`),
  ),
);

function isCanonical(quantity: unknown): boolean {
  const [, digits, unit = ''] = /^(0|[1-9]\d*)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(String(quantity)) ?? [];
  if (typeof quantity !== 'string' || digits === undefined) return false;
  return unit === '' || Number(digits) % (unit.endsWith('i') ? 1024 : 1000) !== 0;
}

export const pods = ofEach(
  'pods use each name once, and only what they declare',
  all,
  ({ pod, container }) => {
    const { env = [], ports = [], volumeMounts = [] } = container;
    const volumes = (pod.volumes ?? []).map(({ name }) => name);
    const names = ports.map(({ name }) => name ?? '');
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    const used = volumeMounts.map(({ name }) => name);
    return [
      ...twice(env.map(({ name }) => name)).map((name) => `sets ${name} twice`),
      ...twice([...names, ...ports.map(({ containerPort }) => String(containerPort))]).map(
        (it) => `has the port ${it} twice`,
      ),
      ...names
        .filter((name) => !PORT_NAME.test(name))
        .map((name) => `has a port with the invalid name ${name}`),
      ...twice(volumeMounts.map(({ mountPath }) => mountPath)).map((path) => `mounts ${path} twice`),
      ...twice(volumes).map((name) => `has the volume ${name} twice`),
      ...used.filter((name) => !volumes.includes(name)).map((name) => `mounts ${name}, which does not exist`),
      ...volumes.filter((name) => !used.includes(name)).map((name) => `does not mount ${name}`),
      ...probes
        .map((probe) => (probe?.httpGet ?? probe?.tcpSocket)?.port)
        .filter((port) => typeof port === 'string' && !names.includes(port))
        .map((port) => `has a probe of the port ${port}, which does not exist`),
    ];
  },
);

export const immutable: Policy = {
  name: 'what the API server never changes stays the same between releases',
  check: (manifests) => [
    // The template of a Job. Its name has the version; what may change within a release must not be in it.
    ...manifests
      .workloads()
      .filter(({ kind, container }) => kind === 'Job' && container.envFrom?.length)
      .map(({ name }) => `${name}: depends on a ConfigMap, whose name changes with its content`),
    ...manifests.of('Deployment').flatMap(({ metadata, spec }) => {
      const selector = spec?.selector.matchLabels ?? {};
      return [
        ...(selects(selector, spec?.template?.metadata?.labels ?? {})
          ? []
          : ['selects other pods than its own']),
        ...(Object.keys(selector).join() === 'app.kubernetes.io/name'
          ? []
          : ['selects by a label that may change']),
      ].map((problem) => `${metadata?.name}: ${problem}`);
    }),
    ...manifests
      .of('Service')
      .filter(({ spec }) => ![undefined, 'None'].includes(spec?.clusterIP))
      .map(({ metadata }) => `${metadata?.name}: has a fixed address`),
  ],
};

export const bounds: Policy = {
  name: 'the bounds of autoscalers and budgets are in order',
  check: (manifests) => [
    ...manifests
      .of('HorizontalPodAutoscaler')
      .filter(({ spec }) => (spec?.minReplicas ?? 1) > (spec?.maxReplicas ?? 0))
      .map(({ metadata }) => `${metadata?.name}: has a minimum above its maximum`),
    ...manifests.of('ScaledObject').flatMap(({ metadata, spec }) => {
      const { minReplicaCount = 0, maxReplicaCount = 100, fallback } = spec ?? {};
      const isOrdered = minReplicaCount <= maxReplicaCount && (fallback?.replicas ?? 0) <= maxReplicaCount;
      return isOrdered ? [] : [`${metadata?.name}: has a minimum or fallback above its maximum`];
    }),
    ...manifests
      .of('PodDisruptionBudget')
      .filter(({ spec }) => (spec?.minAvailable === undefined) === (spec?.maxUnavailable === undefined))
      .map(({ metadata }) => `${metadata?.name}: needs one of minAvailable and maxUnavailable`),
  ],
};

export const targets: Policy = {
  name: 'what an object refers to exists',
  check: (manifests) => {
    const has = (kind: string, name: string | undefined): boolean =>
      manifests.objects.some((object) => object.kind === kind && object.metadata.name === name);
    const made = manifests.of('ExternalSecret').map(({ spec }) => spec?.target?.name);
    const inVolumes = ({ name, pod }: Workload): string[] =>
      (pod.volumes ?? []).flatMap(({ configMap, persistentVolumeClaim: claim }) => [
        ...(configMap && !configMap.optional && !has('ConfigMap', configMap.name)
          ? [`${name}: there is no ConfigMap ${configMap.name}`]
          : []),
        ...(claim && !has('PersistentVolumeClaim', claim.claimName)
          ? [`${name}: there is no volume ${claim.claimName}`]
          : []),
      ]);
    const hasPort = (service: string | undefined, port: string | number | undefined): boolean =>
      manifests
        .of('Service')
        .some(
          ({ metadata, spec }) =>
            metadata?.name === service && spec?.ports?.some((it) => [it.name, it.port].includes(port)),
        );
    const backends = [
      ...manifests
        .of('Ingress')
        .flatMap(({ spec }) => spec?.rules ?? [])
        .flatMap(({ http }) => http?.paths ?? [])
        .map(
          ({ backend: { service } }) =>
            [service?.name, service?.port?.name ?? service?.port?.number] as const,
        ),
      ...manifests
        .of('HTTPRoute')
        .flatMap(({ spec }) => spec?.rules ?? [])
        .flatMap(({ backendRefs = [] }) => backendRefs)
        .map(({ name, port }) => [name, port] as const),
    ];
    return [
      ...manifests.workloads().flatMap(inVolumes),
      ...manifests
        .workloads()
        .filter(({ pod }) => pod.serviceAccountName && !has('ServiceAccount', pod.serviceAccountName))
        .map(({ name, pod }) => `${name}: there is no service account ${pod.serviceAccountName}`),
      ...manifests
        .of('ServiceAccount')
        .flatMap(({ metadata, imagePullSecrets = [] }) =>
          imagePullSecrets.map(({ name }) => [metadata?.name, name] as const),
        )
        .filter(([, secret]) => !made.includes(secret))
        .map(([name, secret]) => `${name}: there is no Secret ${secret}`),
      ...backends
        .filter(([service, port]) => !hasPort(service, port))
        .map(([service, port]) => `there is no port ${port} of ${service}`),
    ];
  },
};
