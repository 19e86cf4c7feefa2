import { existsSync, readdirSync, readFileSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_NAMES } from './services';

/** The compiler writes the files of one change within a moment of each other. */
const SETTLE_MS = 300;

/**
 * Watches the compiled output of all projects and reports after each rebuild which processes run changed code: those
 * whose own program changed, or a library that it uses. Returns a function that ends the watch.
 */
export function watchRebuilds(root: string, onChange: (processes: ReadonlySet<string>) => void): () => void {
  const changed = new Set<string>();
  let settle: NodeJS.Timeout | undefined;
  const watchers: FSWatcher[] = [];

  for (const { folder, dependents } of projects(root)) {
    const dist = join(folder, 'dist');
    if (!existsSync(dist)) continue;
    const watcher = watch(dist, { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.js')) return;
      for (const name of dependents) changed.add(name);
      clearTimeout(settle);
      settle = setTimeout(() => {
        onChange(new Set(changed));
        changed.clear();
      }, SETTLE_MS);
    });
    watchers.push(watcher);
  }
  return () => {
    clearTimeout(settle);
    for (const watcher of watchers) watcher.close();
  };
}

interface Project {
  readonly folder: string;
  /** Processes that run the project's code. */
  readonly dependents: readonly string[];
}

function projects(root: string): Project[] {
  const folders = ['apps', 'libs'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );
  const manifests = folders
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, ...readManifest(folder) }));
  const needs = new Map(manifests.map(({ name, dependencies }) => [name, Object.keys(dependencies ?? {})]));

  const reaches = (from: string, to: string): boolean =>
    from === to || (needs.get(from) ?? []).some((name) => needs.has(name) && reaches(name, to));
  return manifests.map(({ folder, name }) => ({
    folder,
    dependents: SERVICE_NAMES.filter((service) => reaches(`@vitrine/${service}`, name)),
  }));
}

function readManifest(folder: string): { name: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
