// Reads objects as JSON from standard input, and writes the errors that their schemas find in each to standard output, as
// JSON. It is a separate program, because the schemas are ES modules, which Jest can't load on this Node.
import { text } from 'node:stream/consumers';

/** Where the models of an API group are. */
const PACKAGES = {
  '': 'kubernetes-models',
  apps: 'kubernetes-models',
  autoscaling: 'kubernetes-models',
  batch: 'kubernetes-models',
  policy: 'kubernetes-models',
  'networking.k8s.io': 'kubernetes-models',
  'rbac.authorization.k8s.io': 'kubernetes-models',
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.envoyproxy.io': '@kubernetes-models/envoy-gateway',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

const findings = [];
for (const object of JSON.parse(await text(process.stdin))) {
  const { apiVersion, kind } = object;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const models = await import(`${PACKAGES[group]}/${apiVersion}/${kind}`);
  try {
    new models[kind](object).validate();
  } catch (error) {
    findings.push(`${kind} ${object.metadata.name}: ${error.message}`);
  }
}
process.stdout.write(JSON.stringify(findings));
