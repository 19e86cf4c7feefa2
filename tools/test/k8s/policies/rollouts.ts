import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventDefinition, events } from '@vitrine/contracts';
import { type Manifests, ROOT } from '../manifests';
import { NGINX, ofEach, type Policy, replicated, selects, SERVICES } from './policy';

const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;

export const images: Policy = {
  name: 'images have fixed versions, and ours have the version of the package',
  check: (manifests) => {
    const named = [
      ...manifests.workloads().map(({ name, container }) => [name, container.image ?? ''] as const),
      ...manifests.of('Cluster').map((it) => ['postgres', it.spec.imageName ?? ''] as const),
    ];
    return named.flatMap(([name, image]) => {
      const [, repository = '', tag = '', digest] =
        /^([^@]+?)(?::([^/:@]+))?(@sha256:[0-9a-f]{64})?$/.exec(image) ?? [];
      if (/(^|\/)vitrine\//.test(repository)) {
        return tag === VERSION || digest ? [] : [`${name}: is ${image}, not at ${VERSION}`];
      }
      return /\d+\.\d+|\d{4}-\d{2}-\d{2}/.test(tag) || digest ? [] : [`${name}: ${image} may change`];
    });
  },
};

export const rollouts: Policy = {
  name: 'a rollout removes no pod before another is ready',
  check: (manifests) =>
    manifests.of('Deployment').flatMap(({ metadata, spec }) => {
      const { type, rollingUpdate } = spec?.strategy ?? {};
      const ours = [...SERVICES, NGINX].includes(metadata?.name ?? '');
      return !ours || (type === 'RollingUpdate' && rollingUpdate?.maxUnavailable === 0)
        ? []
        : [`${metadata?.name}`];
    }),
};

export const spread = ofEach('replicas are spread over nodes and zones', replicated, ({ pod, labels }) => {
  const keys = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
  const spreads = pod.topologySpreadConstraints ?? [];
  return keys.map((key) => {
    const found = spreads.find(({ topologyKey }) => topologyKey === key);
    return !(found && selects(found.labelSelector?.matchLabels, labels)) && `is not spread by ${key}`;
  });
});

/** The minimum number of pods of a service. */
function fewest(manifests: Manifests, name: string): number {
  const hpa = manifests.of('HorizontalPodAutoscaler').find(({ spec }) => spec?.scaleTargetRef.name === name);
  const scaled = manifests.of('ScaledObject').find(({ spec }) => spec?.scaleTargetRef.name === name);
  return (
    hpa?.spec?.minReplicas ??
    scaled?.spec?.minReplicaCount ??
    manifests.get('Deployment', name).spec?.replicas ??
    1
  );
}

/** The maximum number of pods of a service during a rollout. */
export function most(manifests: Manifests, name: string): number {
  const hpa = manifests.of('HorizontalPodAutoscaler').find(({ spec }) => spec?.scaleTargetRef.name === name);
  const scaled = manifests.of('ScaledObject').find(({ spec }) => spec?.scaleTargetRef.name === name);
  const { replicas = 1, strategy } = manifests.get('Deployment', name).spec ?? {};
  const surge = strategy?.rollingUpdate?.maxSurge ?? '25%';
  const steady = hpa?.spec?.maxReplicas ?? scaled?.spec?.maxReplicaCount ?? replicas;
  return steady + (typeof surge === 'number' ? surge : Math.ceil((steady * parseInt(surge, 10)) / 100));
}

export const budgets = ofEach(
  'a disruption removes one pod, and is never refused',
  replicated,
  ({ name, labels }, manifests) => {
    const own = manifests
      .of('PodDisruptionBudget')
      .filter(({ spec }) => selects(spec?.selector?.matchLabels, labels));
    if (own.length !== 1) return [`has ${own.length} disruption budgets`];
    const { minAvailable, maxUnavailable } = own[0]?.spec ?? {};
    const replicas = fewest(manifests, name);
    const allowed = minAvailable === undefined ? Number(maxUnavailable) : replicas - Number(minAvailable);
    return [
      !(allowed >= 1) && 'keeps a node from being drained',
      replicas > 1 && allowed >= replicas && 'may lose all pods at once',
    ];
  },
);

export const scaling: Policy = {
  name: 'each scaled Deployment has one scaler, which keeps at least two pods',
  check: (manifests) => {
    const targets = [
      ...manifests.of('HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef.name ?? ''),
      ...manifests.of('ScaledObject').map(({ spec }) => spec?.scaleTargetRef.name ?? ''),
    ];
    return targets.flatMap((name) => {
      const deployment = manifests.of('Deployment').find(({ metadata }) => metadata?.name === name);
      return [
        ...(deployment ? [] : [`${name}: is scaled but does not exist`]),
        ...(targets.filter((other) => other === name).length > 1 ? [`${name}: is scaled twice`] : []),
        ...(deployment?.spec?.replicas === undefined ? [] : [`${name}: sets its own number of replicas`]),
        ...(deployment && fewest(manifests, name) < 2 ? [`${name}: may have a single pod`] : []),
      ];
    });
  },
};

export const queues: Policy = {
  name: 'workers scale on queues that exist',
  check: (manifests) =>
    manifests.of('ScaledObject').flatMap(({ metadata, spec }) =>
      (spec?.triggers ?? []).flatMap((trigger) => {
        const queue = trigger.metadata['queueName'] ?? '';
        return QUEUES.includes(queue) ? [] : [`${metadata?.name}: there is no queue ${queue}`];
      }),
    ),
};

const QUEUES = Object.values<EventDefinition<string, unknown>>(events).flatMap(({ type, consumers }) =>
  consumers.map((service) => `${service}.${type}`),
);

export const migration: Policy = {
  name: 'the migration exists before the processes that need it, and is deleted before its next run',
  check: (manifests) => {
    const job = manifests.of('Job').find(({ metadata }) => /^migrate(-[0-9.]+)?$/.test(metadata?.name ?? ''));
    const { spec, metadata } = job ?? {};
    return [
      ...(manifests.workload('migrate').container.args?.join(' ') === MIGRATE
        ? []
        : ['runs another command']),
      ...(spec?.ttlSecondsAfterFinished === undefined ? ['is never deleted'] : []),
      ...(Number(metadata?.annotations?.['argocd.argoproj.io/sync-wave']) < 0
        ? []
        : ['is not created first']),
    ];
  },
};

/** The role in the Cluster's `managed.roles`. */
const MIGRATE = 'migrate --grant-to vitrine_application';
