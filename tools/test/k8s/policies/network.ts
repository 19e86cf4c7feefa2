import type { IContainer } from 'kubernetes-models/v1';
import { loadConfig } from '@vitrine/runtime';
import { StorageConfig } from '@vitrine/storage';
import { environmentOf } from '../environment';
import type { Manifests } from '../manifests';
import { bytes, seconds } from '../quantities';
import { hasNginx, NGINX, ofEach, type Policy, selects, services } from './policy';

export const servicePorts: Policy = {
  name: 'Services find pods and ports',
  check: (manifests) =>
    manifests.of('Service').flatMap(({ metadata, spec }) => {
      const pods = manifests.workloads().filter(({ labels }) => selects(spec?.selector, labels));
      if (pods.length === 0) return [`${metadata?.name}: selects nothing`];
      return (spec?.ports ?? []).flatMap(({ targetPort }) =>
        pods.every(({ pod }) => pod.containers.some((container) => hasPort(container, targetPort)))
          ? []
          : [`${metadata?.name}: there is no port ${targetPort}`],
      );
    }),
};

const hasPort = (container: IContainer, wanted: string | number | undefined): boolean =>
  container.ports?.some(({ name, containerPort }) => wanted === name || wanted === containerPort) ?? false;

export const listening = ofEach(
  'processes listen on the ports of their Services',
  services,
  ({ name, container }, manifests) => {
    const { environment } = environmentOf(manifests, container);
    const port = (wanted: string): number | undefined =>
      container.ports?.find((each) => each.name === wanted)?.containerPort;
    const setting = { 'api-gateway': 'API_PORT', 'upload-service': 'UPLOAD_PORT', website: 'SITE_PORT' }[
      name
    ];
    return [
      port('management') !== Number(environment['MANAGEMENT_PORT']) && 'has another management port',
      environment['MANAGEMENT_HOST'] !== '0.0.0.0' && 'opens its management port only locally',
      setting !== undefined && port('http') !== Number(environment[setting]) && 'has another public port',
    ];
  },
);

export const namespaced: Policy = {
  name: 'everything is in one namespace, which admits only restricted pods',
  check: (manifests) => [
    ...manifests.objects
      .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'vitrine')
      .map(({ kind, metadata }) => `${kind} ${metadata.name} is in ${metadata.namespace ?? 'none'}`),
    ...manifests
      .workloads()
      .filter(({ labels }) => labels['app.kubernetes.io/part-of'] !== 'vitrine')
      .map(({ name }) => `the pods of ${name} lack the label part-of`),
    ...manifests
      .of('Namespace')
      .flatMap(({ metadata }) =>
        metadata?.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted' ? [] : ['admits any pod'],
      ),
  ],
};

export const edges: Policy = {
  name: 'the Ingress serves the public addresses, with TLS, and accepts the largest upload',
  check: (manifests) => {
    const ingresses = manifests.of('Ingress');
    if (ingresses.length === 0) return [];
    const { environment } = environmentOf(manifests, manifests.workload('upload-service').container);
    const rules = ingresses.flatMap(({ spec }) => spec?.rules ?? []);
    const problems: string[] = [];
    for (const [setting, service] of publicHosts(manifests)) {
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
    const known = publicHosts(manifests).map(
      ([setting]) => new URL(environment[setting] ?? 'http://unset').hostname,
    );
    problems.push(
      ...rules
        .filter(({ host = '' }) => !known.includes(host))
        .map(({ host }) => `${host} belongs to no setting`),
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
      if (note('proxy-request-buffering') !== 'off') problems.push('buffers bodies before it passes them on');
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
export const gateways: Policy = {
  name: 'the Gateway leads to the same services, and interrupts no upload',
  check: (manifests) => {
    const routes = manifests.of('HTTPRoute').filter(({ spec }) => spec?.hostnames !== undefined);
    if (routes.length === 0) return [];
    const { environment } = environmentOf(manifests, manifests.workload('upload-service').container);
    return publicHosts(manifests).flatMap(([setting, service]) => {
      const { hostname } = new URL(environment[setting] ?? 'http://unset');
      const rule = routes.find(({ spec }) => spec?.hostnames?.includes(hostname))?.spec?.rules?.[0];
      const bounded = ['upload-service', NGINX].includes(service) && rule?.timeouts?.request !== '0s';
      return [
        ...(rule?.backendRefs?.[0]?.name === service ? [] : [`${setting} does not lead to ${service}`]),
        ...(bounded ? [`${setting} cuts off long requests`] : []),
      ];
    });
  },
};

/** The settings of the public addresses, and the Service to which each leads. */
const publicHosts = (manifests: Manifests): readonly (readonly [setting: string, service: string])[] => [
  ['PUBLIC_API_URL', 'api-gateway'],
  ['PUBLIC_UPLOAD_URL', 'upload-service'],
  ['PUBLIC_CDN_URL', hasNginx(manifests) ? NGINX : 'upload-service'],
  ['PUBLIC_SITE_URL', 'website'],
];
/** Bytes of the boundaries, headers and other fields of a form with one file. */
const MULTIPART_OVERHEAD = 64 * 1024;

export const fileSending: Policy = {
  name: 'upload-service leaves the sending of files to nginx, which finds them',
  check: (manifests) => {
    const service = environmentOf(manifests, manifests.workload('upload-service').container).environment;
    const sending = service['FILE_SENDING'] ?? 'direct';
    if (!hasNginx(manifests)) return sending === 'direct' ? [] : ['nobody sends the files'];
    if (sending !== 'x-accel') return ['nginx has no files to send'];
    const { container } = manifests.workload(NGINX);
    const nginx = environmentOf(manifests, container).environment;
    const mounted = (path: string) => container.volumeMounts?.find(({ mountPath }) => mountPath === path);
    const objects = mounted('/etc/nginx/vitrine/objects.conf')?.subPath;
    const { location } = loadConfig(StorageConfig, { STORAGE_URL: service['STORAGE_URL'] });
    if (location.kind === 'folder') {
      return [
        ...(objects === 'objects-in-folder.conf' ? [] : [`reads ${objects}`]),
        ...(mounted(location.path)?.readOnly === true
          ? []
          : ['has not the folder of the files, only to read']),
      ];
    }
    const host = location.endpoint ? new URL(location.endpoint).host : `s3.${location.region}.amazonaws.com`;
    const expected = location.pathStyle ? host : `${location.bucket}.${host}`;
    return [
      ...(objects === 'objects-in-bucket.conf' ? [] : [`reads ${objects}`]),
      ...(nginx['BUCKET_HOST'] === expected
        ? []
        : [`sends requests for ${nginx['BUCKET_HOST']}, not ${expected}`]),
      ...(nginx['BUCKET_SERVER']?.startsWith(expected) ? [] : [`connects to ${nginx['BUCKET_SERVER']}`]),
    ];
  },
};
