import type { Manifests } from '../manifests';

/** A word of the policy's name, a change of production or of a component that violates it, and a word of the finding. */
export type Breach = readonly [policy: string, how: string, breach: (it: Manifests) => unknown, said: string];

export const BREACHES: readonly Breach[] = [
  ['confined', 'a root user', (it) => (security(it, 'website').runAsNonRoot = false), 'may run as root'],
  ['confined', 'no seccomp profile', (it) => delete security(it, 'redis').seccompProfile, 'seccomp'],
  [
    'confined',
    'a capability',
    (it) => (container(it, 'website').capabilities = { add: ['NET_ADMIN'] }),
    'keeps',
  ],
  [
    'confined',
    'a writable root',
    (it) => (container(it, 'migrate').readOnlyRootFilesystem = false),
    'write to its root',
  ],
  [
    'confined',
    'privilege escalation',
    (it) => delete container(it, 'admin').allowPrivilegeEscalation,
    'privileges',
  ],
  [
    'confined',
    "the node's network",
    (it) => (it.workload('website').pod.hostNetwork = true),
    'namespace of the node',
  ],
  ['own user', 'another user', (it) => (security(it, 'migrate').runAsUser = 1000), '10001'],
  ['own user', 'a token', (it) => delete it.workload('website').pod.automountServiceAccountToken, 'token'],
  [
    'own user',
    'the account of another service',
    (it) => (it.workload('website').pod.serviceAccountName = 'admin'),
    'account',
  ],
  [
    'liveness',
    'a liveness probe of the engines',
    (it) => (probe(it).path = '/health/ready'),
    'liveness probe /health/ready',
  ],
  ['finish', 'no preStop', (it) => delete it.workload('website').container.lifecycle, 'have removed it'],
  [
    'finish',
    'a short grace',
    (it) => (it.workload('website').pod.terminationGracePeriodSeconds = 30),
    'killed',
  ],
  [
    'finish',
    'a short drain',
    (it) => set(it, 'upload-service', 'STOP_TIMEOUT_SECONDS', '60'),
    '60 s, but its work may take 1800 s',
  ],
  [
    'finish',
    'a drain that is too short for a video',
    (it) => set(it, 'media-processor', 'STOP_TIMEOUT_SECONDS', '1400'),
    '1400 s, but its work may take 1500 s',
  ],
  ['requests', 'no limit', (it) => delete limits(it, 'website')['memory'], 'memory'],
  ['requests', 'a limit below the request', (it) => (limits(it, 'website')['cpu'] = '100m'), 'more cpu'],
  [
    'decode',
    'more files at a time',
    (it) => set(it, 'media-processor', 'MEDIA_CONCURRENCY', '4'),
    'may need 8704',
  ],
  [
    'bounded',
    'a volume without bound',
    (it) => (it.workload('website').pod.volumes = [{ name: 'x', emptyDir: {} }]),
    'bound',
  ],
  ['bounded', 'more uploads', (it) => set(it, 'upload-service', 'MAX_CONCURRENT_UPLOADS', '200'), 'no room'],
  ['bounded', 'less disk', (it) => (limits(it, 'media-processor')['ephemeral-storage'] = '2Gi'), 'evicted'],
  ['fixed versions', 'latest', (it) => (it.workload('redis').container.image = 'redis:latest'), 'may change'],
  [
    'fixed versions',
    'no tag',
    (it) => (it.get('Cluster', 'vitrine-postgres').spec.imageName = 'postgresql'),
    'may change',
  ],
  [
    'fixed versions',
    'another release',
    (it) => (it.workload('website').container.image = 'r.example/vitrine/website:0.0.9'),
    '0.0.9',
  ],
  [
    'another is ready',
    'one pod too few',
    (it) => delete it.get('Deployment', 'website').spec?.strategy,
    'website',
  ],
  [
    'spread',
    'all on a node',
    (it) => delete it.workload('website').pod.topologySpreadConstraints,
    'spread by',
  ],
  ['disruption', 'no budget', (it) => remove(it, 'PodDisruptionBudget', 'website'), '0 disruption budgets'],
  ['disruption', 'a budget that blocks', (it) => block(it, 'website'), 'drained'],
  ['scaled Deployment', 'its own replicas', (it) => replicas(it, 'website', 5), 'its own number'],
  ['scaled Deployment', 'a single pod', (it) => (hpa(it, 'website').minReplicas = 1), 'single pod'],
  [
    'scaled Deployment',
    'no such Deployment',
    (it) => (hpa(it, 'website').scaleTargetRef.name = 'site'),
    'does not exist',
  ],
  ['queues', 'an invented queue', (it) => queue(it, 'media.uploaded'), 'no queue media.uploaded'],
  ['longest video', 'a broker with a short timeout', (it) => impatient(it), 'takes a message back'],
  ['connection', 'more pods', (it) => (hpa(it, 'api-gateway').maxReplicas = 40), 'connections'],
  [
    'connection',
    'larger pools',
    (it) => set(it, 'upload-service', 'DATABASE_POOL_SIZE', '50'),
    'connections',
  ],
  [
    'find pods',
    'a selector without pods',
    (it) => (service(it).selector = { app: 'site' }),
    'selects nothing',
  ],
  [
    'find pods',
    'a port that does not exist',
    (it) => (service(it).ports = [{ port: 80, targetPort: 'web' }]),
    'port web',
  ],
  ['listen', 'another port', (it) => set(it, 'website', 'SITE_PORT', '8080'), 'public port'],
  ['keys exist', 'no such Secret', (it) => remove(it, 'ExternalSecret', 'vitrine-site'), 'SITE_SERVICE_KEY'],
  [
    'keys exist',
    'no certificate',
    (it) => remove(it, 'Certificate', 'redis-server'),
    'ca.crt in redis-server',
  ],
  ['keys exist', "a key that KEDA doesn't find", (it) => misname(it), 'no key url in vitrine-bus'],
  [
    'keys exist',
    'no such ConfigMap',
    (it) => (it.workload('website').container.envFrom = [{ configMapRef: { name: 'x' } }]),
    'x',
  ],
  [
    'only the credentials',
    'the database for the decoder',
    (it) => lend(it, 'media-processor', 'vitrine-database'),
    'vitrine-database',
  ],
  [
    'only the credentials',
    "the owner's password for a service",
    (it) => lend(it, 'api-gateway', 'vitrine-database'),
    'api-gateway: has vitrine-database',
  ],
  [
    'only the credentials',
    "another service's key",
    (it) => lend(it, 'media-processor', 'vitrine-storage-upload-service'),
    'vitrine-storage-upload-service',
  ],
  [
    'keys exist',
    "no password for the services' role",
    (it) => remove(it, 'ExternalSecret', 'vitrine-database-application'),
    'vitrine_application: there is no key password',
  ],
  [
    'keys exist',
    'no users of the broker',
    (it) => remove(it, 'ExternalSecret', 'vitrine-bus-users'),
    'definitions.json in vitrine-bus-users',
  ],
  [
    'same rights',
    "the decoder's user reads what another service is sent",
    (it) => widen(it),
    'media-processor has other rights',
  ],
  [
    'only the credentials',
    'the bus for the website',
    (it) => lend(it, 'website', 'vitrine-bus'),
    'vitrine-bus',
  ],
  [
    'secret value',
    'a password in a URL',
    (it) => set(it, 'website', 'SITE_API_URL', 'http://a:b@c'),
    'credential',
  ],
  ['secret value', 'a value in place of a template', (it) => reveal(it), 'no template'],
  [
    'namespace',
    'another namespace',
    (it) => Object.assign(it.get('Service', 'website').metadata ?? {}, { namespace: 'x' }),
    'in x',
  ],
  ['namespace', 'any pod', (it) => delete it.get('Namespace', 'vitrine').metadata?.labels, 'admits'],
  [
    'public addresses',
    'an unknown host',
    (it) => (ingressRule(it, 'api').host = 'api.invalid'),
    'PUBLIC_API_URL',
  ],
  [
    'public addresses',
    'no TLS',
    (it) => delete it.get('Ingress', 'website').spec?.tls,
    'PUBLIC_SITE_URL has no TLS',
  ],
  ['public addresses', 'small bodies', (it) => note(it, 'proxy-body-size', '50m'), 'large bodies'],
  [
    'public addresses',
    'buffered bodies',
    (it) => note(it, 'proxy-request-buffering', 'on'),
    'buffers bodies',
  ],
  ['public addresses', 'a minute', (it) => note(it, 'proxy-read-timeout', '60'), 'slow uploads'],
  [
    'Gateway',
    'another service',
    (it) => (route(it, 'cdn').backendRefs = [{ name: 'website' }]),
    'PUBLIC_CDN_URL',
  ],
  ['Gateway', 'a minute', (it) => (route(it, 'upload').timeouts = { request: '60s' }), 'long requests'],
  [
    'sending of files',
    'an upload-service that sends them itself',
    (it) => set(it, 'upload-service', 'FILE_SENDING', 'direct'),
    'no files to send',
  ],
  [
    'sending of files',
    'another bucket',
    (it) => (it.get('ConfigMap', bucketOf(it)).data = { BUCKET_HOST: 'other.example.org' }),
    'not vitrine-media.s3.eu-west-1.amazonaws.com',
  ],
  [
    'broker is scraped',
    'the port without TLS',
    (it) => Object.assign(monitored(it) ?? {}, { port: 'prometheus', scheme: 'http' }),
    'serves https prometheus-tls',
  ],
  [
    'case of every letter',
    "the operator's own locale",
    (it) => delete it.get('Cluster', 'vitrine-postgres').spec.bootstrap?.initdb?.localeProvider,
    'only ASCII',
  ],
  [
    'migration',
    'another command',
    (it) => (it.workload('migrate').container.args = ['doctor']),
    'another command',
  ],
];

const security = (it: Manifests, name: string) => (it.workload(name).pod.securityContext ??= {});
const container = (it: Manifests, name: string) => (it.workload(name).container.securityContext ??= {});
export const limits = (it: Manifests, name: string): Record<string, string | number> =>
  ((it.workload(name).container.resources ??= {}).limits ??= {});
export const probe = (it: Manifests): { path?: string } =>
  it.workload('website').container.livenessProbe?.httpGet ?? {};
export const hpa = (it: Manifests, name: string) => {
  const { spec } = it.get('HorizontalPodAutoscaler', name);
  if (!spec) throw new Error('no specification');
  return spec;
};
const service = (it: Manifests) => (it.get('Service', 'website').spec ??= {});
const set = (it: Manifests, name: string, setting: string, value: string): void => {
  const line = it.workload(name).container.env?.find((each) => each.name === setting);
  if (!line) throw new Error(`${name} has no ${setting}`);
  line.value = value;
};
const bucketOf = (it: Manifests): string =>
  it.workload('nginx').container.envFrom?.[1]?.configMapRef?.name ?? '';
export const remove = (it: Manifests, kind: string, name: string): void => {
  const index = it.objects.findIndex((object) => object.kind === kind && object.metadata.name === name);
  (it.objects as unknown[]).splice(index, 1);
};
const block = (it: Manifests, name: string): void => {
  const { spec } = it.get('PodDisruptionBudget', name);
  delete spec?.maxUnavailable;
  Object.assign(spec ?? {}, { minAvailable: 3 });
};
const replicas = (it: Manifests, name: string, count: number): object =>
  Object.assign(it.get('Deployment', name).spec ?? {}, { replicas: count });
const queue = (it: Manifests, name: string): object =>
  Object.assign(it.of('ScaledObject')[0]?.spec?.triggers[0]?.metadata ?? {}, { queueName: name });
const widen = (it: Manifests): void => {
  const users = it.of('ExternalSecret').find(({ metadata }) => metadata?.name === 'vitrine-bus-users');
  const data = users?.spec?.target?.template?.data;
  if (!data) throw new Error('no definitions');
  data['definitions.json'] = (data['definitions.json'] ?? '').replace(
    '"read": "^(media-processor',
    '"read": "^(media-processor|moderation-service',
  );
};
const impatient = (it: Manifests): string =>
  (it.get('RabbitmqCluster', 'vitrine-rabbitmq').spec.rabbitmq.additionalConfig =
    'consumer_timeout = 900000');
const monitored = (it: Manifests) => it.get('ServiceMonitor', 'vitrine-rabbitmq').spec?.endpoints[0];
const lend = (it: Manifests, name: string, secret: string): unknown =>
  it.workload(name).container.env?.push({
    name: 'LENT',
    valueFrom: { secretKeyRef: { name: secret, key: 'password' } },
  });
const misname = (it: Manifests): object =>
  Object.assign(it.get('TriggerAuthentication', 'bus').spec?.secretTargetRef?.[0] ?? {}, { key: 'url' });
const reveal = (it: Manifests): object =>
  Object.assign(it.get('ExternalSecret', 'vitrine-redis').spec?.target?.template?.data ?? {}, {
    password: 'plain',
  });
const ingressRule = (it: Manifests, name: string): { host?: string } =>
  it.get('Ingress', name).spec?.rules?.[0] ?? {};
const route = (it: Manifests, name: string) => {
  const rule = it.get('HTTPRoute', name).spec?.rules?.[0];
  if (!rule) throw new Error('no rule');
  return rule;
};
const note = (it: Manifests, key: string, value: string): object =>
  Object.assign(it.get('Ingress', 'upload').metadata?.annotations ?? {}, {
    [`nginx.ingress.kubernetes.io/${key}`]: value,
  });
