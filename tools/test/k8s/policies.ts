import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventDefinition, events } from '@vitrine/contracts';
import type { IContainer, IProbe } from 'kubernetes-models/v1';
import { type Manifests, ROOT, type Workload } from './manifests';
import { brokerUsers } from './broker-users';
import { environmentOf, secret } from './environment';
import { bytes, millicores, seconds } from './quantities';

/** What every overlay must hold to. `check` gives a sentence for each place that doesn't. */
export interface Policy {
  readonly name: string;
  readonly check: (manifests: Manifests) => string[];
}

const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
const HOSTS = ['api-gateway', 'upload-service', 'website'];
export const SERVICES = [...HOSTS, 'media-processor', 'moderation-service'];

/** Which Secrets a process may have: the column "Reaches" of docs/architecture.md, as credentials. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  'api-gateway': ['vitrine-database-application', 'vitrine-redis', 'vitrine-site'],
  'upload-service': [
    'vitrine-bus-upload-service',
    'vitrine-database-application',
    'vitrine-redis',
    'vitrine-site',
    'vitrine-storage-upload-service',
  ],
  'media-processor': ['vitrine-bus-media-processor', 'vitrine-storage-media-processor'],
  'moderation-service': [
    'vitrine-bus-moderation-service',
    'vitrine-database-application',
    'vitrine-storage-moderation-service',
  ],
  website: ['vitrine-site'],
  migrate: ['vitrine-database'],
  'declare-queues': ['vitrine-bus'],
  admin: ['vitrine-bus', 'vitrine-database', 'vitrine-redis', 'vitrine-site', 'vitrine-storage'],
  redis: ['vitrine-redis'],
  storage: ['vitrine-storage'],
};
/** Where traces go is no engine; every process may have it. */
const FOR_ALL = 'vitrine-tracing';

/** What a process takes beside what it decodes: itself, and the code that each of its workers maps. */
const PROCESSOR_BASE_MB = 256;
const WORKER_CODE_MB = 64;

const services = (manifests: Manifests): Workload[] =>
  manifests.workloads().filter(({ name }) => SERVICES.includes(name));

/** A policy that asks the same of each workload. `check` gives what is wrong with one. */
function ofEach(
  name: string,
  workloads: (manifests: Manifests) => Workload[],
  check: (workload: Workload, manifests: Manifests) => readonly (string | false | undefined)[],
): Policy {
  return {
    name,
    check: (manifests) =>
      workloads(manifests).flatMap((workload) =>
        check(workload, manifests)
          .filter((problem) => typeof problem === 'string')
          .map((problem) => `${workload.name}: ${problem}`),
      ),
  };
}

const all = (manifests: Manifests): Workload[] => manifests.workloads();

const restrictedPods = ofEach('pods run as nobody in particular, confined', all, ({ pod, container }) => {
  const { runAsNonRoot, runAsUser = 0, seccompProfile } = pod.securityContext ?? {};
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext ?? {};
  return [
    pod.containers.length + (pod.initContainers ?? []).length > 1 && 'has containers that no policy looks at',
    runAsNonRoot !== true && 'may run as root',
    runAsUser === 0 && 'says no user',
    seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile',
    allowPrivilegeEscalation !== false && 'may gain privileges',
    readOnlyRootFilesystem !== true && 'may write its root',
    !(capabilities?.drop?.includes('ALL') && !capabilities.add?.length) && 'keeps capabilities',
    (pod.hostNetwork || pod.hostPID || pod.hostIPC) === true && 'shares a namespace of the node',
    (pod.volumes ?? []).some(({ hostPath }) => hostPath !== undefined) && "mounts the node's disk",
  ];
});

const ownUser = ofEach(
  "our images run as their own user, with a service account that can't ask Kubernetes",
  (manifests) => manifests.ownWorkloads(),
  ({ name, pod }, manifests) => [
    pod.securityContext?.runAsUser !== 10001 && 'does not run as 10001',
    pod.automountServiceAccountToken !== false && 'has a token of Kubernetes',
    pod.serviceAccountName !== name && 'has no service account of its own',
    !manifests.of('ServiceAccount').some((account) => account.metadata?.name === name) &&
      'has a service account that is not there',
  ],
);

const probes = ofEach('liveness asks the process alone, readiness its engines', services, ({ container }) => {
  const path = (probe: IProbe | undefined): string =>
    probe?.httpGet?.port === 'management' ? (probe.httpGet.path ?? '') : 'nothing';
  const { startupProbe, livenessProbe, readinessProbe } = container;
  const patience = (startupProbe?.periodSeconds ?? 10) * (startupProbe?.failureThreshold ?? 3);
  return [
    path(startupProbe) !== '/health/live' && `starts by ${path(startupProbe)}`,
    path(livenessProbe) !== '/health/live' && `lives by ${path(livenessProbe)}`,
    path(readinessProbe) !== '/health/ready' && `is ready by ${path(readinessProbe)}`,
    patience < 60 && 'has under a minute to start',
  ];
});

const grace = ofEach('a pod has the time to finish', services, ({ name, pod, container }, manifests) => {
  const { environment } = environmentOf(manifests, container);
  // STOP_GRACE_SECONDS is a part of it.
  const stop = Number(environment['STOP_TIMEOUT_SECONDS'] ?? 25);
  const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const longest =
    name === 'upload-service'
      ? Number(environment['UPLOAD_TOTAL_SECONDS'])
      : name === 'media-processor'
        ? Number(environment['VIDEO_TIME_LIMIT_MAX_SECONDS'])
        : 0;
  return [
    preStop < 5 && 'is stopped before the proxies have forgotten it',
    !(stop > longest) && `stops within ${stop} s what may take ${longest} s`,
    (pod.terminationGracePeriodSeconds ?? 30) < preStop + stop + 5 && 'is killed while it drains',
  ];
});

const resources = ofEach('requests and limits are said', all, ({ container }) => {
  const { requests = {}, limits = {} } = container.resources ?? {};
  return ['cpu', 'memory', 'ephemeral-storage'].flatMap((resource) => {
    const [request, limit] = [requests[resource], limits[resource]];
    if (request === undefined || limit === undefined) return [`has no request or limit of ${resource}`];
    const amount = resource === 'cpu' ? millicores : bytes;
    return [amount(request) > amount(limit) && `asks for more ${resource} than it may have`];
  });
});

const processorMemory = ofEach(
  'the memory of media-processor holds what it may decode at a time',
  (manifests) => [manifests.workload('media-processor')],
  ({ container }, manifests) => {
    const { environment } = environmentOf(manifests, container);
    const perFile = Number(environment['MEDIA_MEMORY_LIMIT_MB']) + WORKER_CODE_MB;
    // A processor has at least two workers, one of them only for quick work.
    const workers = Math.max(2, Number(environment['MEDIA_CONCURRENCY']));
    const needed = workers * perFile + PROCESSOR_BASE_MB;
    const limit = bytes(container.resources?.limits?.['memory'] ?? 0) / 1024 ** 2;
    return [!(limit >= needed) && `has ${limit} MiB, and may need ${needed}`];
  },
);

const scratch = ofEach('volumes are bounded and fit', all, ({ name, pod, container }, manifests) => {
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

const images: Policy = {
  name: 'images are pinned, ours at the version of the package',
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

const rollouts: Policy = {
  name: 'a rollout takes no pod away before another is ready',
  check: (manifests) =>
    manifests.of('Deployment').flatMap(({ metadata, spec }) => {
      const { type, rollingUpdate } = spec?.strategy ?? {};
      const ours = SERVICES.includes(metadata?.name ?? '');
      return !ours || (type === 'RollingUpdate' && rollingUpdate?.maxUnavailable === 0)
        ? []
        : [`${metadata?.name}`];
    }),
};

const spread = ofEach('replicas are spread over nodes and zones', services, ({ pod, labels }) => {
  const keys = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
  const spreads = pod.topologySpreadConstraints ?? [];
  return keys.map((key) => {
    const found = spreads.find(({ topologyKey }) => topologyKey === key);
    return !(found && selects(found.labelSelector?.matchLabels, labels)) && `is not spread by ${key}`;
  });
});

/** How few pods of a service there may be. */
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

/** How many pods of a service there may be, in the middle of a rollout. */
function most(manifests: Manifests, name: string): number {
  const hpa = manifests.of('HorizontalPodAutoscaler').find(({ spec }) => spec?.scaleTargetRef.name === name);
  const scaled = manifests.of('ScaledObject').find(({ spec }) => spec?.scaleTargetRef.name === name);
  const { replicas = 1, strategy } = manifests.get('Deployment', name).spec ?? {};
  const surge = strategy?.rollingUpdate?.maxSurge ?? '25%';
  const steady = hpa?.spec?.maxReplicas ?? scaled?.spec?.maxReplicaCount ?? replicas;
  return steady + (typeof surge === 'number' ? surge : Math.ceil((steady * parseInt(surge, 10)) / 100));
}

const budgets = ofEach(
  'a disruption takes one pod, and is never refused',
  services,
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

const scaling: Policy = {
  name: 'what scales a Deployment is alone in that, and keeps two of it',
  check: (manifests) => {
    const targets = [
      ...manifests.of('HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef.name ?? ''),
      ...manifests.of('ScaledObject').map(({ spec }) => spec?.scaleTargetRef.name ?? ''),
    ];
    return targets.flatMap((name) => {
      const deployment = manifests.of('Deployment').find(({ metadata }) => metadata?.name === name);
      return [
        ...(deployment ? [] : [`${name}: is scaled and is not there`]),
        ...(targets.filter((other) => other === name).length > 1 ? [`${name}: is scaled twice`] : []),
        ...(deployment?.spec?.replicas === undefined ? [] : [`${name}: says replicas of its own`]),
        ...(deployment && fewest(manifests, name) < 2 ? [`${name}: may have a single pod`] : []),
      ];
    });
  },
};

const queues: Policy = {
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

const longMessages: Policy = {
  name: 'the broker waits for the longest video',
  check: (manifests) => {
    const { environment } = environmentOf(manifests, manifests.workload('media-processor').container);
    const longest = Number(environment['VIDEO_TIME_LIMIT_MAX_SECONDS']);
    return manifests.of('RabbitmqCluster').flatMap(({ spec }) => {
      const timeout = /^consumer_timeout = (\d+)$/m.exec(spec.rabbitmq.additionalConfig)?.[1];
      return Number(timeout) / 1000 > longest + 60 ? [] : [`takes a message back after ${timeout} ms`];
    });
  },
};

const brokerMetrics: Policy = {
  name: 'the broker is scraped where its operator lets its metrics out',
  check: (manifests) =>
    manifests.of('RabbitmqCluster').flatMap(({ metadata, spec }) => {
      // Of the two ports the operator's Service has one.
      const expected = spec.tls ? 'https prometheus-tls' : 'http prometheus';
      return manifests
        .of('ServiceMonitor')
        .filter((monitor) => monitor.metadata?.name === metadata.name)
        .flatMap((monitor) => monitor.spec?.endpoints ?? [])
        .map(({ scheme = 'http', port }) => `${scheme} ${port}`)
        .filter((asked) => asked !== expected)
        .map((asked) => `asks for ${asked}, and there is ${expected}`);
    }),
};

const letters: Policy = {
  name: 'the database knows the case of every letter, which the search goes by',
  check: (manifests) =>
    manifests
      .of('Cluster')
      .map(({ spec }) => spec.bootstrap?.initdb)
      .filter((made) => made && !(made.localeProvider === 'builtin' && made.builtinLocale === 'C.UTF-8'))
      .map(() => 'made with the locale C, which folds ASCII alone'),
};

const connections: Policy = {
  name: 'the database has a connection for every pool at its fullest',
  check: (manifests) => {
    const users = ['api-gateway', 'upload-service', 'moderation-service'];
    const pools = users.map((name) => {
      const { environment } = environmentOf(manifests, manifests.workload(name).container);
      return most(manifests, name) * (Number(environment['DATABASE_POOL_SIZE']) + OWN_SESSIONS);
    });
    const needed = pools.reduce((sum, pool) => sum + pool, 0) + FOR_OTHERS;
    return manifests.of('Cluster').flatMap(({ spec }) => {
      const limit = Number(spec.postgresql?.parameters?.['max_connections']);
      return limit >= needed ? [] : [`allows ${limit} connections, and ${needed} may be wanted`];
    });
  },
};
/** A process's connections beside its pool: the relay's session, which listens, and one that sees whether it is there. */
const OWN_SESSIONS = 2;
/** Of the operator, the migration, the operator's tool and a person. */
const FOR_OTHERS = 40;

const servicePorts: Policy = {
  name: 'Services find pods and ports',
  check: (manifests) =>
    manifests.of('Service').flatMap(({ metadata, spec }) => {
      const pods = manifests.workloads().filter(({ labels }) => selects(spec?.selector, labels));
      if (pods.length === 0) return [`${metadata?.name}: selects nothing`];
      return (spec?.ports ?? []).flatMap(({ targetPort }) =>
        pods.every(({ container }) => hasPort(container, targetPort))
          ? []
          : [`${metadata?.name}: there is no port ${targetPort}`],
      );
    }),
};

const hasPort = (container: IContainer, wanted: string | number | undefined): boolean =>
  container.ports?.some(({ name, containerPort }) => wanted === name || wanted === containerPort) ?? false;

const listening = ofEach(
  'processes listen where the Services look',
  services,
  ({ name, container }, manifests) => {
    const { environment } = environmentOf(manifests, container);
    const port = (wanted: string): number | undefined =>
      container.ports?.find((each) => each.name === wanted)?.containerPort;
    const setting = { 'api-gateway': 'API_PORT', 'upload-service': 'UPLOAD_PORT', website: 'SITE_PORT' }[
      name
    ];
    return [
      port('management') !== Number(environment['MANAGEMENT_PORT']) && 'has its management port elsewhere',
      environment['MANAGEMENT_HOST'] !== '0.0.0.0' && 'keeps its management port to itself',
      setting !== undefined &&
        port('http') !== Number(environment[setting]) &&
        'has its public port elsewhere',
    ];
  },
);

const references: Policy = {
  name: 'Secrets, ConfigMaps and their keys are there',
  check: (manifests) => [
    ...manifests
      .workloads()
      .flatMap(({ name, container }) =>
        environmentOf(manifests, container).missing.map((what) => `${name}: ${what}`),
      ),
    ...secretUses(manifests).flatMap(([user, name, keys]) => {
      const held = secret(manifests, name) ?? {};
      return keys.filter((key) => !(key in held)).map((key) => `${user}: there is no key ${key} in ${name}`);
    }),
  ],
};

/** Which keys of which Secrets are used beside the environment of a container. */
function secretUses(
  manifests: Manifests,
): (readonly [user: string, secret: string, keys: readonly string[]])[] {
  const pair = ['tls.crt', 'tls.key'];
  return [
    ...manifests
      .workloads()
      .flatMap(({ name, pod }) =>
        (pod.volumes ?? []).flatMap(({ secret: volume }) =>
          volume?.secretName
            ? [[name, volume.secretName, volume.items?.map(({ key }) => key) ?? [...pair, 'ca.crt']] as const]
            : [],
        ),
      ),
    ...manifests
      .of('TriggerAuthentication')
      .flatMap(({ metadata, spec }) =>
        (spec?.secretTargetRef ?? []).map(({ name, key }) => [metadata?.name ?? '', name, [key]] as const),
      ),
    ...manifests
      .of('Cluster')
      .flatMap(({ spec: { bootstrap, certificates, managed } }) => [
        ...(managed?.roles ?? []).map(
          ({ name, passwordSecret }) => [name, passwordSecret?.name ?? '', ['username', 'password']] as const,
        ),
        ['postgres', bootstrap?.initdb?.secret?.name ?? '', ['username', 'password']] as const,
        ...[certificates?.serverTLSSecret, certificates?.replicationTLSSecret].flatMap((name) =>
          name ? [['postgres', name, pair] as const] : [],
        ),
        ...[certificates?.serverCASecret, certificates?.clientCASecret].flatMap((name) =>
          name ? [['postgres', name, ['ca.crt']] as const] : [],
        ),
      ]),
    ...manifests
      .of('RabbitmqCluster')
      .flatMap(({ spec: { secretBackend, tls, override } }) => [
        ...override.statefulSet.spec.template.spec.volumes.map(
          ({ secret: { secretName } }) => ['rabbitmq', secretName, ['definitions.json']] as const,
        ),
        [
          'rabbitmq',
          secretBackend.externalSecret.name,
          ['default_user.conf', 'username', 'password'],
        ] as const,
        ...(tls ? [['rabbitmq', tls.secretName, pair] as const] : []),
      ]),
  ];
}

const credentials = ofEach(
  'a process has the credentials of what it reaches, and no other',
  all,
  ({ name, container }) => {
    const allowed = [...(CREDENTIALS[name] ?? []), FOR_ALL];
    const used = [
      ...(container.env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ...(container.envFrom ?? []).map(({ secretRef }) => secretRef?.name),
    ].filter((each) => each !== undefined);
    return used.map((each) => !allowed.includes(each) && `has ${each}`);
  },
);

const noSecretValues: Policy = {
  name: 'production holds no secret value',
  check: (manifests) => {
    if (manifests.overlay === 'dev') return [];
    const literals = [
      ...manifests
        .of('ConfigMap')
        .flatMap(({ metadata, data }) =>
          Object.entries(data ?? {}).map(([key, value]) => [`${metadata?.name} ${key}`, value] as const),
        ),
      ...manifests
        .workloads()
        .flatMap(({ name, container }) =>
          (container.env ?? []).map((each) => [`${name} ${each.name}`, each.value ?? ''] as const),
        ),
    ];
    return [
      ...manifests.of('Secret').map(({ metadata }) => `Secret ${metadata?.name} is in the output`),
      ...manifests
        .of('ExternalSecret')
        .flatMap(({ metadata, spec }) =>
          Object.entries(spec?.target?.template?.data ?? {}).flatMap(([key, value]) =>
            /password|secret|key$|_URL/i.test(key) && !value.includes('{{')
              ? [`${metadata?.name} ${key} is no template`]
              : [],
          ),
        ),
      ...literals.flatMap(([where, value]) =>
        /:\/\/[^/]*:[^/]*@/.test(value) || (/password|secret(?!s)|_KEY\b/i.test(where) && value !== '')
          ? [`${where} has a credential`]
          : [],
      ),
    ];
  },
};

const namespaced: Policy = {
  name: 'everything is in one namespace, which admits restricted pods alone',
  check: (manifests) => [
    ...manifests.objects
      .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'vitrine')
      .map(({ kind, metadata }) => `${kind} ${metadata.name} is in ${metadata.namespace ?? 'none'}`),
    ...manifests
      .workloads()
      .filter(({ labels }) => labels['app.kubernetes.io/part-of'] !== 'vitrine')
      .map(({ name }) => `the pods of ${name} say not what they are part of`),
    ...manifests
      .of('Namespace')
      .flatMap(({ metadata }) =>
        metadata?.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted' ? [] : ['admits any pod'],
      ),
  ],
};

const edges: Policy = {
  name: 'the Ingress serves the public addresses, with TLS, and lets the largest upload through',
  check: (manifests) => {
    const ingresses = manifests.of('Ingress');
    if (ingresses.length === 0) return [];
    const { environment } = environmentOf(manifests, manifests.workload('upload-service').container);
    const rules = ingresses.flatMap(({ spec }) => spec?.rules ?? []);
    const problems: string[] = [];
    for (const [setting, service] of PUBLIC) {
      const url = new URL(environment[setting] ?? 'http://unset');
      const paths = rules
        .filter(({ host }) => host === url.hostname)
        .flatMap(({ http }) => http?.paths ?? []);
      // Addresses of files begin with /f/.
      const path = setting === 'PUBLIC_CDN_URL' ? '/f/x.jpg' : url.pathname;
      const route = paths.find((each) => path.startsWith(each.path ?? '/'));
      if (route?.backend.service?.name !== service) problems.push(`${setting} does not lead to ${service}`);
      const secured = ingresses.some(({ spec }) =>
        spec?.tls?.some(({ hosts }) => hosts?.includes(url.hostname)),
      );
      if (!secured || url.protocol !== 'https:') problems.push(`${setting} has no TLS`);
    }
    const known = PUBLIC.map(([setting]) => new URL(environment[setting] ?? 'http://unset').hostname);
    problems.push(
      ...rules.filter(({ host = '' }) => !known.includes(host)).map(({ host }) => `${host} is nobody's`),
    );
    for (const { metadata, spec } of ingresses) {
      const uploads = spec?.rules?.some(({ http }) =>
        http?.paths.some(({ backend }) => backend.service?.name === 'upload-service'),
      );
      const notes = metadata?.annotations ?? {};
      if (!uploads) continue;
      const largest = Number(environment['MAX_FILE_BYTES']) + MULTIPART_OVERHEAD;
      const note = (key: string): string => notes[`nginx.ingress.kubernetes.io/${key}`] ?? '';
      if (bytes(note('proxy-body-size').replace(/m$/, 'Mi')) < largest)
        problems.push('cuts off large bodies');
      if (note('proxy-request-buffering') !== 'off') problems.push('keeps bodies before it passes them on');
      for (const key of ['proxy-read-timeout', 'proxy-send-timeout']) {
        if (!(Number(note(key)) > Number(environment['UPLOAD_TOTAL_SECONDS'])))
          problems.push(`${key} cuts off slow uploads`);
      }
      const idle = seconds(notes['haproxy.org/timeout-server'] ?? '');
      if (!(idle > 2 * Number(environment['UPLOAD_IDLE_SECONDS'] ?? 20)))
        problems.push('timeout-server cuts off slow uploads');
    }
    return problems;
  },
};
const gateways: Policy = {
  name: 'the Gateway leads to the same services, and ends no upload',
  check: (manifests) => {
    const routes = manifests.of('HTTPRoute').filter(({ spec }) => spec?.hostnames !== undefined);
    if (routes.length === 0) return [];
    const { environment } = environmentOf(manifests, manifests.workload('upload-service').container);
    return PUBLIC.flatMap(([setting, service]) => {
      const { hostname } = new URL(environment[setting] ?? 'http://unset');
      const rule = routes.find(({ spec }) => spec?.hostnames?.includes(hostname))?.spec?.rules?.[0];
      const bounded = service === 'upload-service' && rule?.timeouts?.request !== '0s';
      return [
        ...(rule?.backendRefs?.[0]?.name === service ? [] : [`${setting} does not lead to ${service}`]),
        ...(bounded ? [`${setting} cuts off what takes long`] : []),
      ];
    });
  },
};

const PUBLIC = [
  ['PUBLIC_API_URL', 'api-gateway'],
  ['PUBLIC_UPLOAD_URL', 'upload-service'],
  ['PUBLIC_CDN_URL', 'upload-service'],
  ['PUBLIC_SITE_URL', 'website'],
] as const;
/** Boundaries, headers and the other fields of a form with one file. */
const MULTIPART_OVERHEAD = 64 * 1024;

const migration: Policy = {
  name: 'the migration is there before those who need it, and makes room for its next run',
  check: (manifests) => {
    const { spec, metadata } = manifests.get('Job', 'migrate');
    return [
      ...(manifests.workload('migrate').container.args?.join(' ') === MIGRATE ? [] : ['runs something else']),
      ...(spec?.ttlSecondsAfterFinished === undefined ? ['stays for ever'] : []),
      ...(Number(metadata?.annotations?.['argocd.argoproj.io/sync-wave']) < 0 ? [] : ['comes with the rest']),
    ];
  },
};

/** The role in the Cluster's `managed.roles`. */
const MIGRATE = 'migrate --grant-to vitrine_application';

export const POLICIES: readonly Policy[] = [
  restrictedPods,
  ownUser,
  probes,
  grace,
  resources,
  processorMemory,
  scratch,
  images,
  rollouts,
  spread,
  budgets,
  scaling,
  queues,
  longMessages,
  brokerMetrics,
  letters,
  connections,
  servicePorts,
  listening,
  references,
  credentials,
  brokerUsers,
  noSecretValues,
  namespaced,
  edges,
  gateways,
  migration,
];

/** Whether labels match; a selector of nothing selects nothing here. */
export function selects(
  selector: Readonly<Record<string, string>> | undefined,
  labels: Readonly<Record<string, string>>,
): boolean {
  const wanted = Object.entries(selector ?? {});
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}
