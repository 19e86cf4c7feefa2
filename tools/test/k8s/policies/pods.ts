import { LONGEST_VIDEO_SECONDS } from '@vitrine/contracts';
import type { IProbe } from 'kubernetes-models/v1';
import { environmentOf } from '../environment';
import { bytes, millicores } from '../quantities';
import { all, ofEach, services } from './policy';

/** Memory of a process beside the decoding: the process itself, and the code that each of its workers maps. */
const PROCESSOR_BASE_MB = 256;
const WORKER_CODE_MB = 64;

export const restrictedPods = ofEach('pods run confined, as a user without rights', all, ({ pod }) => {
  const { runAsNonRoot, runAsUser = 0, seccompProfile } = pod.securityContext ?? {};
  return [
    (pod.initContainers ?? []).length > 0 && 'has containers that no policy checks',
    runAsNonRoot !== true && 'may run as root',
    runAsUser === 0 && 'names no user',
    seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile',
    ...pod.containers.flatMap(({ securityContext = {} }) => {
      const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext;
      return [
        allowPrivilegeEscalation !== false && 'may gain privileges',
        readOnlyRootFilesystem !== true && 'may write to its root file system',
        !(capabilities?.drop?.includes('ALL') && !capabilities.add?.length) && 'keeps capabilities',
      ];
    }),
    (pod.hostNetwork || pod.hostPID || pod.hostIPC) === true && 'shares a namespace of the node',
    (pod.volumes ?? []).some(({ hostPath }) => hostPath !== undefined) && "mounts the node's disk",
  ];
});

export const ownUser = ofEach(
  "our images run as their own user, with a service account that can't ask Kubernetes",
  (manifests) => manifests.ownWorkloads(),
  ({ name, pod }, manifests) => [
    pod.securityContext?.runAsUser !== 10001 && 'does not run as 10001',
    pod.automountServiceAccountToken !== false && 'has a token of Kubernetes',
    pod.serviceAccountName !== name && 'has no separate service account',
    !manifests.of('ServiceAccount').some((account) => account.metadata?.name === name) &&
      'has a service account that does not exist',
  ],
);

export const probes = ofEach(
  'liveness checks only the process, readiness also its engines',
  services,
  ({ container }) => {
    const path = (probe: IProbe | undefined): string =>
      probe?.httpGet?.port === 'management' ? (probe.httpGet.path ?? '') : 'nothing';
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const patience = (startupProbe?.periodSeconds ?? 10) * (startupProbe?.failureThreshold ?? 3);
    return [
      path(startupProbe) !== '/health/live' && `has the startup probe ${path(startupProbe)}`,
      path(livenessProbe) !== '/health/live' && `has the liveness probe ${path(livenessProbe)}`,
      path(readinessProbe) !== '/health/ready' && `has the readiness probe ${path(readinessProbe)}`,
      patience < 60 && 'has under a minute to start',
    ];
  },
);

export const grace = ofEach(
  'a pod has enough time to finish',
  services,
  ({ name, pod, container }, manifests) => {
    const { environment } = environmentOf(manifests, container);
    // It includes STOP_GRACE_SECONDS.
    const stop = Number(environment['STOP_TIMEOUT_SECONDS'] ?? 25);
    const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const longest =
      name === 'upload-service'
        ? Number(environment['UPLOAD_TOTAL_SECONDS'])
        : name === 'media-processor'
          ? LONGEST_VIDEO_SECONDS
          : 0;
    return [
      preStop < 5 && 'is stopped before the proxies have removed it',
      !(stop > longest) && `stops within ${stop} s, but its work may take ${longest} s`,
      (pod.terminationGracePeriodSeconds ?? 30) < preStop + stop + 5 && 'is killed while it drains',
    ];
  },
);

export const resources = ofEach('requests and limits are set', all, ({ container }) => {
  const { requests = {}, limits = {} } = container.resources ?? {};
  return ['cpu', 'memory', 'ephemeral-storage'].flatMap((resource) => {
    const [request, limit] = [requests[resource], limits[resource]];
    if (request === undefined || limit === undefined) return [`has no request or limit of ${resource}`];
    const amount = resource === 'cpu' ? millicores : bytes;
    return [amount(request) > amount(limit) && `requests more ${resource} than its limit`];
  });
});

export const processorMemory = ofEach(
  'the memory of media-processor is enough for the files that it decodes at a time',
  (manifests) => [manifests.workload('media-processor')],
  ({ container }, manifests) => {
    const { environment } = environmentOf(manifests, container);
    const perFile = Number(environment['MEDIA_MEMORY_LIMIT_MB']) + WORKER_CODE_MB;
    // A processor has at least two workers, one of them only for quick work.
    const workers = Math.max(2, Number(environment['MEDIA_CONCURRENCY']));
    const needed = workers * perFile + PROCESSOR_BASE_MB;
    const limit = bytes(container.resources?.limits?.['memory'] ?? 0) / 1024 ** 2;
    return [!(limit >= needed) && `has ${limit} MiB, but may need ${needed}`];
  },
);

export const scratch = ofEach('volumes are bounded and fit', all, ({ name, pod, container }, manifests) => {
  const sizes = (pod.volumes ?? []).flatMap(({ emptyDir }) => (emptyDir ? [emptyDir.sizeLimit] : []));
  if (sizes.includes(undefined)) return ['has a volume without a bound'];
  const sum = sizes.reduce<number>((total, size) => total + bytes(size ?? 0), 0);
  const limit = bytes(container.resources?.limits?.['ephemeral-storage'] ?? 0);
  const { environment } = environmentOf(manifests, container);
  const data = bytes(pod.volumes?.find((volume) => volume.name === 'data')?.emptyDir?.sizeLimit ?? 0);
  const uploads = Number(environment['MAX_CONCURRENT_UPLOADS']) * Number(environment['MAX_FILE_BYTES']);
  return [
    sum > limit && 'is evicted before its volumes are full',
    name === 'upload-service' &&
      !(data >= 2 * uploads) &&
      'has no room for the uploads that it may take at a time',
  ];
});
