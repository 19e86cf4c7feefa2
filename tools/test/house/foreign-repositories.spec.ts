import { posix } from 'node:path';
import { valueImportsOf } from './imports';
import { isTest, read, trackedFiles } from './tracked-files';

const DOMAIN = 'libs/domain/src/';

/**
 * Folders whose repository other folders use. `post-rows` has no use cases: it exists so that `posts` and
 * `post-media`, in different layers, write the same rows. A service in between would only repeat the repository.
 */
const SHARED: readonly string[] = ['post-rows'];

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

const isShared = (line: string): boolean => SHARED.some((folder) => line.includes(` imports ${folder}/`));

describe('the repositories of libs/domain/src', () => {
  const files = new Map(
    trackedFiles()
      .filter((path) => path.startsWith(DOMAIN) && path.endsWith('.ts') && !isTest(path))
      .map((path) => [path.slice(DOMAIN.length), read(path)] as const),
  );
  const found = foreignRepositories(files);

  it('are used only in their own folder, except those of `post-rows`', () => {
    expect(found.filter((line) => !isShared(line))).toEqual([]);
  });

  it('of `post-rows` are used by `posts` and `post-media` only', () => {
    const users = found.filter(isShared).map((line) => line.split('/')[0]);
    expect([...new Set(users)].sort()).toEqual(['post-media', 'posts']);
  });
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
