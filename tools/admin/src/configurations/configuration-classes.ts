import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isConfig } from '@vitrine/runtime';

type ConfigurationClass = new () => object;

/**
 * Returns the configuration classes of the built workspace at `root`, which the compiled `*.config.js` files export: first
 * those of the libraries, then those of the processes. Loading a class declares its settings.
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

/** The absolute paths of the compiled configuration files in a folder, in a fixed order. */
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
