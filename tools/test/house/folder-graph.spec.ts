import { posix } from 'node:path';
import { circularImports, folderImports, risingImports } from './folder-graph';
import { isTest, read, trackedFiles } from './tracked-files';

const ROOM = /^(?:apps\/[^/]+\/src|apps\/website\/browser|libs\/[^/]+\/src|tools\/[^/]+\/src)\//;

/** The sources of each room, by their paths in it. */
function rooms(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const path of trackedFiles()) {
    const [room] = ROOM.exec(path) ?? [];
    if (room === undefined || !/\.tsx?$/.test(path) || isTest(path)) continue;
    const files = found.get(room) ?? new Map<string, string>();
    found.set(room, files.set(path.slice(room.length), read(path)));
  }
  return found;
}

const circlesIn = (files: Readonly<Record<string, string>>): readonly string[] =>
  circularImports(folderImports(new Map(Object.entries(files))));

describe('the folders of each room', () => {
  const found = rooms();

  it('are found in every room', () => {
    expect([...found.keys()]).toEqual(
      expect.arrayContaining([
        'apps/website/browser/',
        'apps/website/src/',
        'libs/domain/src/',
        'tools/chaos/src/',
      ]),
    );
    expect(found.size).toBeGreaterThan(16);
  });

  it.each([...found.keys()])('do not import each other in a circle in %s', (room) => {
    expect(circularImports(folderImports(found.get(room) ?? new Map()))).toEqual([]);
  });
});

/** The layer of each folder of `libs/domain/src`, by the table of the architecture page. */
function documentedLayers(): ReadonlyMap<string, number> {
  const [, section = ''] = read('docs/architecture.md').split('### Inside domain');
  const rows = section.split(/^##+ /m)[0]!.matchAll(/^\| (\d+) +\| `([\w/-]+)` +\|/gm);
  return new Map([...rows].map(([, layer, folder]) => [folder!, Number(layer)]));
}

describe('the layers of libs/domain/src', () => {
  const files = rooms().get('libs/domain/src/') ?? new Map<string, string>();
  const layers = documentedLayers();

  it('docs/architecture.md lists every folder', () => {
    const folders = [...files.keys()].filter((path) => path.includes('/')).map((path) => posix.dirname(path));
    expect([...layers.keys()].sort()).toEqual([...new Set(folders)].sort());
  });

  it('every folder imports only folders of lower layers', () => {
    expect(risingImports(folderImports(files), layers)).toEqual([]);
  });
});

describe('the check of layers', () => {
  it('names imports of the same and of higher layers, type imports included', () => {
    const files = new Map([
      ['a/one.ts', `import { low } from '../low/low'; import type { B } from '../b/two';`],
      ['b/two.ts', `import { low } from '../low/low';`],
      ['low/low.ts', `import { one } from '../a/one';`],
    ]);
    const layers = new Map([
      ['low', 1],
      ['a', 2],
      ['b', 2],
    ]);
    expect(risingImports(folderImports(files), layers)).toEqual([
      'a (2) → b (2): a/one.ts imports b/two',
      'low (1) → a (2): low/low.ts imports a/one',
    ]);
  });
});

describe('the check for circles', () => {
  it('names the imports of a circle of two folders, type imports and re-exports included', () => {
    const circles = circlesIn({
      'a/one.ts': `import type { Two } from '../b/two';`,
      'b/two.ts': `export { one } from "../a/one";`,
      'c/three.ts': `import { one } from '../a/one';`,
    });
    expect(circles).toEqual(['a → b: a/one.ts imports b/two', 'b → a: b/two.ts imports a/one']);
  });

  it('finds a circle of several folders, with imports at run time and of files directly in the room', () => {
    const circles = circlesIn({
      'a/one.ts': `import { two } from './deeper/two';`,
      'a/deeper/two.ts': `const load = () => import('../../three');`,
      'three.ts': `import './a/one.js';`,
    });
    expect(circles).toHaveLength(3);
  });

  it('accepts folders in layers, imports in one folder, of packages and of index.ts', () => {
    const circles = circlesIn({
      'index.ts': `export { one } from './a/one'; export { two } from './b/two';`,
      'a/one.ts': `import { two } from '../b/two'; import { other } from './other'; import 'express';`,
      'b/two.ts': `// import { one } from '../a/one';\nexport const text = "import { one } from '../a/one'";`,
    });
    expect(circles).toEqual([]);
  });
});
