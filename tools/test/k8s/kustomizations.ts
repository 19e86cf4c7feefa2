import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './manifests';

interface Generator {
  readonly name: string;
  readonly behavior?: 'create' | 'merge' | 'replace';
}

/** The part of a kustomization.yaml that the order of generators and components depends on. */
export interface Kustomization {
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly Generator[];
  readonly secretGenerator?: readonly Generator[];
}

const generators = ({
  configMapGenerator = [],
  secretGenerator = [],
}: Kustomization): readonly Generator[] => [...configMapGenerator, ...secretGenerator];

const componentsOf = (kustomization: Kustomization, folder: string): readonly string[] =>
  (kustomization.components ?? []).map((path) => join(folder, path));

/** The names that a component of this repository and its own components generate. */
function generatedBy(folder: string): readonly string[] {
  const text = readFileSync(join(ROOT, folder, 'kustomization.yaml'), 'utf8');
  const kustomization = parse(text) as Kustomization;
  return [
    ...generators(kustomization).map(({ name }) => name),
    ...componentsOf(kustomization, folder).flatMap(generatedBy),
  ];
}

/**
 * The generators of a kustomization in `path` that change what one of its components generates. A current kustomize
 * runs them before the components, and fails; kustomize 4.5 ran the components first.
 */
export function findEarlyMerges(path: string, kustomization: Kustomization): string[] {
  const generated = new Set(componentsOf(kustomization, dirname(path)).flatMap(generatedBy));
  return generators(kustomization)
    .filter(({ name, behavior = 'create' }) => behavior !== 'create' && generated.has(name))
    .map(({ name }) => `${path} merges into ${name} of a component`);
}
