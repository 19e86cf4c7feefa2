import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  importedPackages,
  type Manifest,
  type ManifestContext,
  manifestFaults,
  type PackageSources,
} from './manifests';
import { isTest, read, root, trackedFiles } from './tracked-files';

/** Packages that a program finds by their names, not by an import. */
const LOADED_BY_NAME = {
  '@embedpdf/fonts-kr': 'its font files are loaded by path',
  '@embedpdf/fonts-sc': 'its font files are loaded by path',
  '@expo-google-fonts/arimo': 'its font files are loaded by path',
  '@expo-google-fonts/cousine': 'its font files are loaded by path',
  '@expo-google-fonts/noto-sans-devanagari': 'its font files are loaded by path',
  '@expo-google-fonts/noto-sans-thai': 'its font files are loaded by path',
  '@expo-google-fonts/tinos': 'its font files are loaded by path',
  'dejavu-fonts-ttf': 'its font files are loaded by path',

  nsfwjs: 'moderation-service reads the model that it holds',
  'embedded-postgres': 'dev runs the PostgreSQL programs that it installs',
} as const;

const rooms = JSON.parse(read('tools/rooms.json')) as Readonly<Record<string, readonly string[]>>;
const files = trackedFiles();
const folders = files
  .filter((path) => /^(?:apps|libs|tools)\/[^/]+\/package\.json$/.test(path))
  .map((path) => path.slice(0, -'/package.json'.length));
const manifestOf = (folder: string): Manifest => JSON.parse(read(`${folder}/package.json`)) as Manifest;

/** The sources of tools that run in production: those of the image `admin`, and what `npm start` and `npm run admin` run. */
const SHIPPED_TOOLS =
  /^tools\/(?:(?:admin|demo)\/src|dev\/src\/(?:data-folder|embedded-postgres|operator|supervisor))\//;

function isShipped(path: string): boolean {
  if (isTest(path) || path.startsWith('libs/testing/')) return false;
  return SHIPPED_TOOLS.test(path) || /^(?:apps|libs)\/[^/]+\/(?:src|browser)\//.test(path);
}

function sourcesOf(folder: string): PackageSources {
  const sources = files.filter(
    (path) => path.startsWith(`${folder}/`) && /\.(?:[cm]?tsx?|[cm]js)$/.test(path),
  );
  const texts = (wanted: (path: string) => boolean): ReadonlyMap<string, string> =>
    new Map(sources.filter(wanted).map((path) => [path, read(path)]));
  return { shipped: texts(isShipped), development: texts((path) => !isShipped(path)) };
}

function peersOf(name: string): readonly string[] {
  const path = join(root, 'node_modules', name, 'package.json');
  if (name.startsWith('@vitrine/') || !existsSync(path)) return [];
  const { peerDependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  return Object.keys(peerDependencies);
}

const developmentPackages = (folder: string): readonly string[] =>
  Object.keys(manifestOf(folder).devDependencies ?? {});

const context: ManifestContext = {
  everywhere: new Set([
    // What builds Vitrine, and what only tests and development need.
    ...Object.keys(manifestOf('.').dependencies ?? {}),
    ...developmentPackages('.'),
    ...developmentPackages('libs/testing'),
    ...['@vitrine/testing', '@vitrine/client'],
  ]),
  peersOf,
  loadedByName: LOADED_BY_NAME,
};

describe('the manifest of each package', () => {
  it.each(folders)('declares exactly what the sources import in %s', (folder) => {
    expect(manifestFaults(manifestOf(folder), sourcesOf(folder), context)).toEqual([]);
  });
});

/** The packages to which a project of TypeScript refers, so that they are built before it. */
function referencesOf(folder: string): readonly string[] {
  const { references = [] } = JSON.parse(read(`${folder}/tsconfig.json`)) as {
    references?: readonly { readonly path: string }[];
  };
  return references.filter(({ path }) => path.startsWith('../')).map(({ path }) => posix.basename(path));
}

describe('the TypeScript project of each package', () => {
  it.each(folders)('refers to exactly the packages of its manifest in %s', (folder) => {
    const { dependencies, peerDependencies, devDependencies } = manifestOf(folder);
    const own = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies });
    const packages = own.filter((name) => name.startsWith('@vitrine/'));
    expect([...referencesOf(folder)].sort()).toEqual(
      packages.map((name) => name.replace('@vitrine/', '')).sort(),
    );
  });
});

describe('tools/rooms.json', () => {
  it('allows each room only rooms that its files import', () => {
    const unused = folders.flatMap((folder) => {
      const { shipped, development } = sourcesOf(folder);
      const room = manifestOf(folder).name.replace('@vitrine/', '');
      const imported = importedPackages(new Map([...shipped, ...development]));
      return (rooms[room] ?? [])
        .filter((other) => !imported.has(`@vitrine/${other}`))
        .map((other) => `${room} → ${other}`);
    });
    expect(unused).toEqual([]);
  });
});

describe('the check of manifests', () => {
  const fixture: ManifestContext = {
    everywhere: new Set(['jest']),
    peersOf: (name) => (name === 'nest' ? ['rxjs'] : []),
    loadedByName: { model: 'read from its folder' },
  };
  const faults = (manifest: Partial<Manifest>, shipped: string, test = ''): readonly string[] =>
    manifestFaults(
      { name: '@vitrine/x', ...manifest },
      { shipped: new Map([['src/a.ts', shipped]]), development: new Map([['src/a.spec.ts', test]]) },
      fixture,
    );

  it('accepts imports, their peers, packages that are loaded by name, and development packages in tests', () => {
    const manifest = {
      dependencies: { nest: '1', rxjs: '1', model: '1', '@scope/part': '1' },
      devDependencies: { mock: '1', '@types/mock': '1' },
    };
    const source = `import { a } from 'nest'; import type { b } from '@scope/part/deep'; import fs from 'node:fs'; import 'path';`;
    expect(faults(manifest, source, `import 'jest'; import 'mock'; import 'nest';`)).toEqual([]);
  });

  it('finds an import that is not declared, or only for development', () => {
    expect(faults({ devDependencies: { pg: '1' } }, `import 'pg'; export * from 'left-pad';`)).toEqual([
      'src/a.ts imports pg, which @vitrine/x does not declare',
      'src/a.ts imports left-pad, which @vitrine/x does not declare',
    ]);
    expect(faults({}, '', `import 'sharp';`)).toEqual([
      'src/a.spec.ts imports sharp, which no manifest declares',
    ]);
  });

  it('finds a declaration that nothing needs', () => {
    expect(
      faults({ dependencies: { pg: '1' }, devDependencies: { sharp: '1' } }, '', `import 'pg';`),
    ).toEqual([
      '@vitrine/x declares pg, which its sources do not import',
      '@vitrine/x declares sharp for development, which no file imports',
    ]);
  });
});
