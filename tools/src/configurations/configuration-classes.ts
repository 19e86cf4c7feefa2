import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isConfig } from '@vitrine/runtime';

type ConfigurationClass = new () => object;

/**
 * The configuration classes of the built workspace at `root`: those of the libraries first, then those of the
 * processes, each as the compiled `*.config.js` exports it. Loading one declares its settings.
 */
export function configurationClasses(root: string): readonly ConfigurationClass[] {
  const load = createRequire(__filename);
  const classes = new Set<ConfigurationClass>();
  for (const project of [...projectsIn(root, 'libs'), ...projectsIn(root, 'apps')]) {
    for (const file of configFilesOf(join(root, project, 'dist'))) {
      const exported: Record<string, unknown> = load(file);
      Object.values(exported).forEach((value) => isConfig(value) && classes.add(value));
    }
  }
  return [...classes];
}

/** Compiled configuration files under a folder, absolute, in a fixed order. */
export const configFilesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.config.js'))
    .sort()
    .map((path) => join(folder, path));

const projectsIn = (root: string, group: string): readonly string[] =>
  existsSync(join(root, group))
    ? readdirSync(join(root, group))
        .map((name) => join(group, name))
        .filter((project) => existsSync(join(root, project, 'dist')))
        .sort()
    : [];
