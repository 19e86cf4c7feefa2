import { posix } from 'node:path';
import { importsOf } from './imports';

/** An import that leads from one folder of a room to another. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** The importing file, in the room. */
  readonly importer: string;
  /** The imported file as it is named there, in the room. */
  readonly imported: string;
}

/**
 * The imports between the folders of a room, type imports included. `files` are its sources by their paths in the room;
 * files directly in it make the folder `.`. `index.ts` there is left out, because it imports everything.
 */
export function folderImports(files: ReadonlyMap<string, string>): readonly FolderImport[] {
  return [...files]
    .filter(([path]) => path !== 'index.ts')
    .flatMap(([importer, text]) =>
      importsOf(importer, text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(importer), specifier))
        .filter((imported) => !imported.startsWith('..') && imported !== 'index')
        .map((imported) => ({
          from: posix.dirname(importer),
          to: posix.dirname(imported),
          importer,
          imported,
        })),
    )
    .filter(({ from, to }) => from !== to);
}

/**
 * The imports that are part of a circle of folders, one line each: `from → to: importer imports imported`. They are those
 * whose target leads back to their source.
 */
export function circularImports(imports: readonly FolderImport[]): readonly string[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reached = new Map([...targets.keys()].map((folder) => [folder, reachableFrom(folder, targets)]));
  return imports
    .filter(({ from, to }) => reached.get(to)?.has(from))
    .map(({ from, to, importer, imported }) => `${from} → ${to}: ${importer} imports ${imported}`);
}

/**
 * The imports whose target isn't on a lower layer than their source, one line each. Folders without a layer count as
 * such.
 */
export function risingImports(
  imports: readonly FolderImport[],
  layers: ReadonlyMap<string, number>,
): readonly string[] {
  return imports
    .filter(({ from, to }) => !((layers.get(to) ?? NaN) < (layers.get(from) ?? NaN)))
    .map(
      ({ from, to, importer, imported }) =>
        `${from} (${layers.get(from)}) → ${to} (${layers.get(to)}): ${importer} imports ${imported}`,
    );
}

function reachableFrom(
  start: string,
  targets: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const target of targets.get(folder) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      waiting.push(target);
    }
  }
  return reached;
}
