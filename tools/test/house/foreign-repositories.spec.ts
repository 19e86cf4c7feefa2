import { posix } from 'node:path';
import { valueImportsOf } from './imports';
import { isTest, read, trackedFiles } from './tracked-files';

const DOMAIN = 'libs/domain/src/';

/**
 * Folders whose repository other folders use. They have no use cases: each exists so that several folders write the
 * same rows. A service in between would only repeat the repository.
 */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'media/rows': ['media/items', 'media/shared-files', 'media/stored-variants'],
  'posts/rows': ['posts/posts'],
};

/** The imports of repositories of other folders, one line each. Imports of types only are left out. */
function foreignRepositories(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files].flatMap(([importer, text]) =>
    valueImportsOf(importer, text)
      .filter((specifier) => specifier.startsWith('.') && specifier.endsWith('.repository'))
      .map((specifier) => posix.join(posix.dirname(importer), specifier))
      .filter((imported) => posix.dirname(imported) !== posix.dirname(importer))
      .map((imported) => `${importer} imports ${imported}`),
  );
}

const importsFrom = (line: string, folder: string): boolean => line.includes(` imports ${folder}/`);

describe('the repositories of libs/domain/src', () => {
  const files = new Map(
    trackedFiles()
      .filter((path) => path.startsWith(DOMAIN) && path.endsWith('.ts') && !isTest(path))
      .map((path) => [path.slice(DOMAIN.length), read(path)] as const),
  );
  const found = foreignRepositories(files);

  it('are used only in their own folder, except those of rows', () => {
    const isShared = (line: string): boolean =>
      Object.keys(SHARED).some((folder) => importsFrom(line, folder));
    expect(found.filter((line) => !isShared(line))).toEqual([]);
  });

  it.each(Object.entries(SHARED))(
    'of %s are used only by the folders that write its rows',
    (shared, users) => {
      const importers = found
        .filter((line) => importsFrom(line, shared))
        .map((line) => posix.dirname(line.split(' ')[0]!));
      expect([...new Set(importers)].sort()).toEqual(users);
    },
  );
});

describe('the check of repositories', () => {
  it('names imports and re-exports of values, not of types', () => {
    const files = new Map([
      ['a/one.ts', `import { type Row, RowRepository } from '../b/row.repository';`],
      [
        'a/two.ts',
        `import { type Row } from '../b/row.repository'; import type { Row } from '../b/row.repository';`,
      ],
      [
        'a/three.ts',
        `export { RowRepository } from '../b/row.repository'; export type { Row } from '../c/row.repository';`,
      ],
      ['b/four.ts', `import { RowRepository } from './row.repository';`],
    ]);
    expect(foreignRepositories(files)).toEqual([
      'a/one.ts imports b/row.repository',
      'a/three.ts imports b/row.repository',
    ]);
  });
});
