import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Ajv from 'ajv';
import { read, trackedFiles } from '../house/tracked-files';
import { describeWithKustomize, type KubernetesObject, Manifests, objectsIn, renderAll } from './manifests';
import { OPERATOR_SCHEMAS } from './operator-schemas';
import { findUnknownFields } from './unknown-fields';

const ajv = new Ajv({ allErrors: true, strict: true });

const schemaOf = ({ apiVersion, kind }: KubernetesObject): object | undefined =>
  OPERATOR_SCHEMAS[`${apiVersion} ${kind}`];

/** Errors that the packages' own schemas find. */
function findInvalid(objects: readonly KubernetesObject[]): string[] {
  const program = join(__dirname, 'validate-models.mjs');
  const input = JSON.stringify(objects);
  const run = spawnSync(process.execPath, [program], { input, encoding: 'utf8', cwd: __dirname });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as string[];
}

/** Errors that our own schemas find in resources that no package describes. */
function findRefused(objects: readonly KubernetesObject[]): string[] {
  return objects.flatMap((object) => {
    const schema = schemaOf(object);
    const { kind, metadata } = object;
    if (!schema || ajv.validate(schema, object)) return [];
    return [`${kind} ${metadata.name}: ${ajv.errorsText()}`];
  });
}

/** The examples for Argo CD, Flux and External Secrets. */
const examples = (): Manifests[] =>
  trackedFiles()
    .filter((path) => path.startsWith('k8s/examples/'))
    .map((path) => new Manifests(path, objectsIn(read(path))));

describeWithKustomize('what kustomize renders and the examples', () => {
  let rendered: readonly Manifests[];
  let described: KubernetesObject[];

  beforeAll(() => {
    rendered = [...renderAll(), ...examples()];
    described = rendered.flatMap(({ objects }) => objects.filter((object) => !schemaOf(object)));
    for (const object of described) unwrapBase64(object);
  });

  it('is valid by the schemas of Kubernetes and of its operators', () => {
    expect(findInvalid(described)).toEqual([]);
    expect(findRefused(rendered.flatMap(({ objects }) => objects))).toEqual([]);
  });

  it('has no field that its resource does not know', () => {
    const { kind, metadata, ...rest } = described[0] as KubernetesObject;
    const misspelt = { ...rest, kind, metadata: { ...metadata, nmaespace: 'vitrine' } };

    const findings = findUnknownFields([...described, misspelt]);

    expect(findings).toEqual([expect.stringContaining('nmaespace')]);
  });

  it.each([
    ['one node more than allowed', { spec: { replicas: 4 } }, 'must be equal to one of the allowed values'],
    ['a misspelt field', { spec: { replcas: 3 } }, 'must NOT have additional properties'],
  ])('finds %s in a cluster of RabbitMQ', (_, change, said) => {
    const cluster = rendered[1]?.get('RabbitmqCluster', 'vitrine-rabbitmq');
    const changed = { ...cluster, spec: { ...cluster?.spec, ...change.spec } } as KubernetesObject;

    expect(findRefused([changed])).toEqual([expect.stringContaining(said)]);
  });

  it('finds a value that a schema refuses', () => {
    const service = rendered[1]?.get('Service', 'website');
    const wrong = { ...service, spec: { ports: [{ port: 'many' }] } } as object as KubernetesObject;

    expect(findInvalid([wrong])).toEqual([expect.stringContaining('Service website')]);
  });

  it('contains every object once', () => {
    for (const { objects } of rendered) {
      const names = objects.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

/** kustomize breaks long base64 into lines, which Kubernetes reads and the schema's format doesn't. */
function unwrapBase64(object: KubernetesObject & { data?: Record<string, string> }): void {
  if (object.kind !== 'Secret' || !object.data) return;
  for (const [key, value] of Object.entries(object.data)) object.data[key] = value.replace(/\s/g, '');
}
