import { join } from 'node:path';
import ts from 'typescript';
import { ROOT, type KubernetesObject } from './manifests';

/** The packages that describe the resources of a group, by the beginning of the group's name. */
const PACKAGES: readonly (readonly [group: string, name: string])[] = [
  ['cert-manager.io/', '@kubernetes-models/cert-manager'],
  ['external-secrets.io/', '@kubernetes-models/external-secrets'],
  ['gateway.envoyproxy.io/', '@kubernetes-models/envoy-gateway'],
  ['gateway.networking.k8s.io/', '@kubernetes-models/gateway-api'],
  ['keda.sh/', '@kubernetes-models/keda'],
  ['monitoring.coreos.com/', '@kubernetes-models/prometheus-operator'],
  ['postgresql.cnpg.io/', '@kubernetes-models/cloudnative-pg'],
];

/**
 * Finds unknown fields and values of a wrong type: the objects are written as literals of their
 * packages' types into one program, and the compiler refuses unknown fields in literals.
 */
export function findUnknownFields(objects: readonly KubernetesObject[]): string[] {
  const statements = objects.map((object, index) => {
    const { apiVersion, kind } = object;
    const name = PACKAGES.find(([group]) => apiVersion.startsWith(group))?.[1] ?? 'kubernetes-models';
    return (
      `import type { I${kind} as Type${index} } from '${name}/${apiVersion}/${kind}';` +
      `export const object${index}: Type${index} = ${JSON.stringify(object)};`
    );
  });
  const diagnostics = compile(statements.join('\n'));
  return diagnostics.map(({ start = 0, file, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
    const object = objects[line];
    return `${object?.kind} ${object?.metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** The compiler's message about a missing module in this folder. */
function compile(source: string): readonly ts.Diagnostic[] {
  const path = join(ROOT, 'tools/test/k8s/objects.mts');
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === path || fileExists.call(host, name);
  host.getSourceFile = (name, version, ...rest) =>
    name === path
      ? ts.createSourceFile(name, source, version)
      : getSourceFile.call(host, name, version, ...rest);
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program, program.getSourceFile(path));
}
