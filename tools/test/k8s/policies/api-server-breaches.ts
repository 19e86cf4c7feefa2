import type { Manifests } from '../manifests';
import { type Breach, hpa, limits, probe, remove } from './breaches';

/** Objects that the API server would refuse, or store differently. */
export const API_SERVER_BREACHES: readonly Breach[] = [
  ['are as the API', 'a long name', (it) => rename(it, 'Job', 'x'.repeat(64)), 'too long'],
  ['are as the API', 'a dot in the name of a Service', (it) => rename(it, 'Service', 'a.b'), 'invalid name'],
  ['are as the API', 'a label with a space', (it) => (labelsOf(it)['a'] = 'b c'), 'invalid label a'],
  ['stores them', 'a thousand millicores', (it) => (limits(it, 'website')['cpu'] = '2000m'), 'cpu is 2000m'],
  ['stores them', 'a number', (it) => (limits(it, 'website')['cpu'] = 2), 'cpu is 2'],
  ['each name once', 'a setting twice', (it) => repeat(it.workload('website').container.env), 'twice'],
  ['each name once', 'a port twice', (it) => repeat(it.workload('website').container.ports), 'twice'],
  [
    'each name once',
    'a mount twice',
    (it) => repeat(it.workload('website').container.volumeMounts),
    'mounts',
  ],
  ['each name once', 'no such volume', (it) => delete it.workload('website').pod.volumes, 'does not exist'],
  [
    'each name once',
    'a probe elsewhere',
    (it) => Object.assign(probe(it), { port: 'web' }),
    'probe of the port web',
  ],
  [
    'never changes',
    'a Job with generated settings',
    (it) => (it.workload('migrate').container.envFrom = [{ configMapRef: { name: 'x' } }]),
    'migrate: depends',
  ],
  [
    'never changes',
    'a selector with the version',
    (it) => ((it.get('Deployment', 'website').spec?.selector ?? {}).matchLabels = { version: '1' }),
    'website: selects',
  ],
  [
    'bounds',
    'a minimum above the maximum',
    (it) => (hpa(it, 'website').minReplicas = 99),
    'above its maximum',
  ],
  [
    'bounds',
    'a budget with both',
    (it) => Object.assign(it.get('PodDisruptionBudget', 'website').spec ?? {}, { minAvailable: 1 }),
    'one of',
  ],
  [
    'refers to exists',
    'no service account',
    (it) => remove(it, 'ServiceAccount', 'redis'),
    'service account redis',
  ],
  ['refers to exists', 'no Service', (it) => remove(it, 'Service', 'website'), 'port http of website'],
];

const rename = (it: Manifests, kind: string, name: string): object =>
  Object.assign(it.objects.find((object) => object.kind === kind)?.metadata ?? {}, { name });
const labelsOf = (it: Manifests): Record<string, string> =>
  (it.get('Service', 'website').metadata ??= {}).labels ?? {};
const repeat = <Item>(items: Item[] = []): number => items.push(...items.slice(0, 1));
