/**
 * JSON schemas of the fields that we use of resources that no package describes; they refuse all other fields. Based on
 * the custom resource definitions of RabbitMQ's cluster operator 2.23, CloudNativePG's Barman Cloud plugin 0.13, Flux 2.6 and Argo CD 3.
 */
const text = { type: 'string', minLength: 1 } as const;
const quantity = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(m|Ki|Mi|Gi|Ti)?$' } as const;
const duration = { type: 'string', pattern: '^[0-9]+(s|m|h)$' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const labels = { type: 'object', additionalProperties: { type: 'string' } } as const;
const fields = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const listOf = (items: object): object => ({ type: 'array', minItems: 1, items });

const metadata = fields({ name: text, namespace: text, labels, annotations: labels }, ['name']);
const amounts = fields({ cpu: quantity, memory: quantity }, ['cpu', 'memory']);
const labelSelector = fields({ matchLabels: labels }, ['matchLabels']);
const containerOverride = fields(
  {
    name: text,
    securityContext: fields({
      runAsUser: whole,
      allowPrivilegeEscalation: { const: false },
      readOnlyRootFilesystem: { type: 'boolean' },
      capabilities: fields({ drop: { const: ['ALL'] } }),
    }),
    volumeMounts: listOf(
      fields({ name: text, mountPath: text, readOnly: { const: true } }, ['name', 'mountPath', 'readOnly']),
    ),
  },
  ['name'],
);

const secretKey = fields({ name: text, key: text }, ['name', 'key']);

const rabbitmqCluster = fields(
  {
    apiVersion: { const: 'rabbitmq.com/v1beta1' },
    kind: { const: 'RabbitmqCluster' },
    metadata,
    spec: fields(
      {
        // An even number of nodes has no majority if it is split in half.
        replicas: { enum: [1, 3, 5] },
        image: { type: 'string', pattern: ':[0-9]+\\.[0-9]+\\.[0-9]+-management$' },
        secretBackend: fields({ externalSecret: fields({ name: text }, ['name']) }, ['externalSecret']),
        persistence: fields({ storage: quantity, storageClassName: text }, ['storage']),
        resources: fields({ requests: amounts, limits: amounts }, ['requests', 'limits']),
        rabbitmq: fields({ additionalConfig: text, additionalPlugins: listOf(text) }, ['additionalConfig']),
        tls: fields({ secretName: text, caSecretName: text, disableNonTLSListeners: { type: 'boolean' } }, [
          'secretName',
        ]),
        affinity: fields({
          podAntiAffinity: fields({
            requiredDuringSchedulingIgnoredDuringExecution: listOf(
              fields({ topologyKey: text, labelSelector }, ['topologyKey', 'labelSelector']),
            ),
          }),
        }),
        override: fields({
          statefulSet: fields({
            spec: fields({
              template: fields({
                spec: fields(
                  {
                    securityContext: fields({
                      runAsNonRoot: { const: true },
                      runAsUser: whole,
                      runAsGroup: whole,
                      fsGroup: whole,
                      seccompProfile: fields({ type: { const: 'RuntimeDefault' } }, ['type']),
                    }),
                    topologySpreadConstraints: listOf(
                      fields({
                        maxSkew: { type: 'integer', minimum: 1 },
                        topologyKey: text,
                        whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
                        labelSelector,
                      }),
                    ),
                    initContainers: listOf(containerOverride),
                    containers: listOf(containerOverride),
                    volumes: listOf(
                      fields({ name: text, secret: fields({ secretName: text }, ['secretName']) }, [
                        'name',
                        'secret',
                      ]),
                    ),
                  },
                  // The operator reads the override as a pod's specification, which has containers.
                  ['containers'],
                ),
              }),
            }),
          }),
        }),
      },
      ['replicas', 'image', 'persistence', 'resources', 'rabbitmq'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

const objectStore = fields(
  {
    apiVersion: { const: 'barmancloud.cnpg.io/v1' },
    kind: { const: 'ObjectStore' },
    metadata,
    spec: fields(
      {
        retentionPolicy: { type: 'string', pattern: '^[1-9][0-9]*[dwm]$' },
        configuration: fields(
          {
            destinationPath: { type: 'string', pattern: '^s3://[a-z0-9.-]+/.+' },
            endpointURL: text,
            s3Credentials: {
              oneOf: [
                fields({ inheritFromIAMRole: { const: true } }, ['inheritFromIAMRole']),
                fields({ accessKeyId: secretKey, secretAccessKey: secretKey }, [
                  'accessKeyId',
                  'secretAccessKey',
                ]),
              ],
            },
            wal: fields({
              compression: { enum: ['bzip2', 'gzip', 'lz4', 'snappy', 'xz', 'zstd'] },
              maxParallel: { type: 'integer', minimum: 1 },
            }),
            data: fields({
              compression: { enum: ['bzip2', 'gzip', 'snappy'] },
              jobs: { type: 'integer', minimum: 1 },
            }),
          },
          ['destinationPath', 's3Credentials'],
        ),
      },
      ['configuration', 'retentionPolicy'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

const source = fields({ kind: { const: 'GitRepository' }, name: text }, ['kind', 'name']);

const gitRepository = fields(
  {
    apiVersion: { const: 'source.toolkit.fluxcd.io/v1' },
    kind: { const: 'GitRepository' },
    metadata,
    spec: fields({ interval: duration, url: text, ref: fields({ branch: text }) }, ['interval', 'url']),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

const fluxKustomization = fields(
  {
    apiVersion: { const: 'kustomize.toolkit.fluxcd.io/v1' },
    kind: { const: 'Kustomization' },
    metadata,
    spec: fields(
      {
        interval: duration,
        retryInterval: duration,
        timeout: duration,
        dependsOn: listOf(fields({ name: text }, ['name'])),
        sourceRef: source,
        path: text,
        prune: { type: 'boolean' },
        wait: { type: 'boolean' },
        patches: listOf(fields({ target: fields({ labelSelector: text }), patch: text }, ['patch'])),
      },
      ['interval', 'prune', 'sourceRef'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

const application = fields(
  {
    apiVersion: { const: 'argoproj.io/v1alpha1' },
    kind: { const: 'Application' },
    metadata,
    spec: fields(
      {
        project: text,
        source: fields({ repoURL: text, targetRevision: text, path: text }, ['repoURL']),
        destination: fields({ server: text, namespace: text }),
        syncPolicy: fields({
          automated: fields({ prune: { type: 'boolean' }, selfHeal: { type: 'boolean' } }),
          syncOptions: listOf({ type: 'string', pattern: '^[A-Z][A-Za-z]+=[a-z]+$' }),
          retry: fields({ limit: { type: 'integer' } }),
        }),
      },
      ['project', 'destination'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

export const OPERATOR_SCHEMAS: Readonly<Record<string, object>> = {
  'rabbitmq.com/v1beta1 RabbitmqCluster': rabbitmqCluster,
  'barmancloud.cnpg.io/v1 ObjectStore': objectStore,
  'source.toolkit.fluxcd.io/v1 GitRepository': gitRepository,
  'kustomize.toolkit.fluxcd.io/v1 Kustomization': fluxKustomization,
  'argoproj.io/v1alpha1 Application': application,
};
