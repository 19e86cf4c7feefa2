import { importsOf, packageOf } from './imports';

export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The source files of one package, by their paths. */
export interface PackageSources {
  /** What runs in production. */
  readonly shipped: ReadonlyMap<string, string>;
  /** Tests, build scripts and tools that are never shipped. */
  readonly development: ReadonlyMap<string, string>;
}

export interface ManifestContext {
  /** Packages that every test may import: the root's and those of the room `testing`. */
  readonly everywhere: ReadonlySet<string>;
  /** The names of the peers of an installed package, optional ones included. */
  readonly peersOf: (name: string) => readonly string[];
  /** Packages that are needed though no file imports them, with the reason. */
  readonly loadedByName: Readonly<Record<string, string>>;
}

/** The packages that the files import, each with one file that does. */
export function importedPackages(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [path, text] of files) {
    for (const specifier of importsOf(path, text)) {
      const name = packageOf(specifier);
      if (name !== undefined && !found.has(name)) found.set(name, path);
    }
  }
  return found;
}

/**
 * The faults of a package's manifest, one sentence each. `dependencies` must be what the shipped sources import, with
 * the peers of these packages; other sources may import the manifest's `devDependencies` and those that are there
 * `everywhere`.
 */
export function manifestFaults(
  manifest: Manifest,
  { shipped, development }: PackageSources,
  { everywhere, peersOf, loadedByName }: ManifestContext,
): readonly string[] {
  const names = (part: Readonly<Record<string, string>> = {}): string[] => Object.keys(part);
  const { name, dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  const runtime = [...names(dependencies), ...names(optionalDependencies), ...names(peerDependencies)];
  const all = new Set([...runtime, ...names(devDependencies), ...everywhere, name]);
  const ofShipped = importedPackages(shipped);
  const ofOthers = importedPackages(development);
  const needed = (from: readonly string[]): ReadonlySet<string> =>
    new Set(from.flatMap((each) => [each, ...peersOf(each)]));
  const neededAtRunTime = needed([...ofShipped.keys(), ...runtime.filter((each) => each in loadedByName)]);
  const neededAtAll = needed([...ofShipped.keys(), ...ofOthers.keys(), ...Object.keys(loadedByName)]);
  const isTypes = (each: string): boolean => each.startsWith('@types/');
  return [
    ...[...ofShipped]
      .filter(([each]) => !runtime.includes(each) && each !== name)
      .map(([each, path]) => `${path} imports ${each}, which ${name} does not declare`),
    ...[...ofOthers]
      .filter(([each]) => !all.has(each))
      .map(([each, path]) => `${path} imports ${each}, which no manifest declares`),
    ...names(dependencies)
      .filter((each) => !neededAtRunTime.has(each))
      .map((each) => `${name} declares ${each}, which its sources do not import`),
    ...names(devDependencies)
      .filter((each) => !neededAtAll.has(isTypes(each) ? each.slice('@types/'.length) : each))
      .map((each) => `${name} declares ${each} for development, which no file imports`),
  ];
}
