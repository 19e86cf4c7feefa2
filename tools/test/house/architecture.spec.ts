import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const rooms: Record<string, string[]> = JSON.parse(read('tools/rooms.json'));

interface Package {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly nx?: { tags?: string[] };
}
const packages = ['apps', 'libs', 'tools']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .map((folder) => `${folder}/package.json`)
  .filter((path) => existsSync(join(root, path)))
  .map((path): Package => JSON.parse(read(path)));

const roomOf = (pkg: Package): string => pkg.name.replace('@vitrine/', '');

describe('the packages and the architecture page', () => {
  it('every package is a room, tagged with its own name', () => {
    expect(packages.map(roomOf).sort()).toEqual(Object.keys(rooms).sort());
    for (const pkg of packages) expect(pkg.nx?.tags).toContain(`scope:${roomOf(pkg)}`);
  });

  it('docs/architecture.md lists what the linter allows', () => {
    const [, table = ''] = read('docs/architecture.md').split('## The rooms');
    const drawn = [...table.matchAll(/^\| `([a-z-]+)` +\|[^|]*\| ([^|`]+?) +\|$/gm)].map(
      ([, room, allowed]) => [room, allowed === 'nothing' ? [] : allowed!.split(', ')],
    );
    expect(Object.fromEntries(drawn)).toEqual(rooms);
  });

  it('no package depends on a room that it may not import', () => {
    for (const pkg of packages) {
      const used = Object.keys(pkg.dependencies ?? {})
        .filter((name) => name.startsWith('@vitrine/'))
        .map((name) => name.replace('@vitrine/', ''));
      expect(rooms[roomOf(pkg)]).toEqual(expect.arrayContaining(used));
    }
  });

  it('no two rooms may import each other', () => {
    for (const [room, allowed] of Object.entries(rooms)) {
      for (const other of allowed) expect(rooms[other]).not.toContain(room);
    }
  });
});
