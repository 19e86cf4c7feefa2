import { environmentOf, secret } from '../environment';
import type { Manifests } from '../manifests';
import { all, ofEach, type Policy } from './policy';

/** The Secrets that a process may have: the credentials for the column "Reaches" of docs/architecture.md. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  'api-gateway': [
    'vitrine-accounts',
    'vitrine-database-application',
    'vitrine-identity-providers',
    'vitrine-mail',
    'vitrine-redis',
    'vitrine-site',
  ],
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
/** The address for traces is not an engine; every process may have it. */
const FOR_ALL = 'vitrine-tracing';

export const references: Policy = {
  name: 'Secrets, ConfigMaps and their keys exist',
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

/** The keys of Secrets that are used outside the environment of a container. */
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
    ...manifests.of('Cluster').flatMap(({ spec: { bootstrap, certificates, managed } }) => [
      ...(managed?.roles ?? []).flatMap(({ name, passwordSecret }) =>
        // A role without a password has a certificate.
        passwordSecret ? [[name, passwordSecret.name, ['username', 'password']] as const] : [],
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

export const credentials = ofEach(
  'a process has only the credentials of the engines that it reaches',
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

export const noSecretValues: Policy = {
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
            /password|secret|key$|_URL|_PROVIDERS/i.test(key) && !value.includes('{{')
              ? [`${metadata?.name} ${key} is no template`]
              : [],
          ),
        ),
      ...literals.flatMap(([where, value]) =>
        /:\/\/[^/]*:[^/]*@/.test(value) ||
        (/password(?!_LOGIN)|secret(?!s)|_KEY\b|OIDC_PROVIDERS/i.test(where) && value !== '')
          ? [`${where} has a credential`]
          : [],
      ),
    ];
  },
};
