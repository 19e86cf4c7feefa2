import { circularImports, folderImports } from './folder-graph';
import { isTest, read, trackedFiles } from './tracked-files';

const ROOM = /^(?:apps\/[^/]+\/src|apps\/website\/browser|libs\/[^/]+\/src|tools\/src)\//;

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
        'tools/src/',
      ]),
    );
    expect(found.size).toBeGreaterThan(16);
  });

  it.each([...found.keys()])('do not import each other in a circle in %s', (room) => {
    expect(circularImports(folderImports(found.get(room) ?? new Map()))).toEqual([]);
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
