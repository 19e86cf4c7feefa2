import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from './tracked-files';

describe('CONTRIBUTING.md', () => {
  it('names only files and folders that exist', () => {
    const quoted = [...read('CONTRIBUTING.md').matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)].map(
      ([, path]) => path,
    );
    expect(quoted.length).toBeGreaterThan(40);
    expect(quoted.filter((path = '') => !existsSync(join(root, path)))).toEqual([]);
  });
});
