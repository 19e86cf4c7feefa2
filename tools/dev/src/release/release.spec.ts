import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { carryOut, findOtherVersions, planRelease } from './release';
import { git } from './repository';

const TODAY = '2030-05-06';

describe('npm run release', () => {
  let root: string;

  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const commit = (message: string): void => {
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--message', message);
  };
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'vitrine-release-'));
    git(root, 'init', '--quiet');
    for (const [name, value] of [
      ['user.name', 'A'],
      ['user.email', 'a@example.org'],
    ])
      git(root, 'config', name!, value!);
    const [app, client] = [
      { '@vitrine/client': '0.9.0', pg: '0.9.0' },
      { name: '@vitrine/client', version: '0.9.0' },
    ];
    write('package.json', json({ name: 'vitrine', version: '0.9.0' }));
    write(
      'apps/website/package.json',
      json({ name: '@vitrine/website', version: '0.9.0', dependencies: app, peerDependencies: app }),
    );
    write('libs/client/package.json', json(client));
    write(
      'package-lock.json',
      json({
        version: '0.9.0',
        packages: {
          '': { version: '0.9.0' },
          'apps/website': { version: '0.9.0', dependencies: app },
          'node_modules/pg': { version: '0.9.0' },
        },
      }),
    );
    write('docker/compose.yaml', 'image: vitrine/website:${VITRINE_VERSION:-0.9.0}\nother: redis:0.9.0\n');
    write('k8s/website.yaml', 'image: vitrine/website:0.9.0\nimage: vitrine/website:0.9.0.1\n');
    write('k8s/overlays/production/settings.yaml', '  VERSION: 0.9.0\n');
    write('docs/guides/a.md', 'registry.example.org/vitrine/website:0.9.0, since 0.9.0\n');
    write('.env.example', '# Why\n# PORT=1\n\n# OLD=1\n');
    write('libs/database/schema/migrations/0001-users.sql', 'select 1;\n');
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Everything.\n');
    commit('Begin');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const release = (version: string): void => carryOut(root, planRelease(root, version, TODAY));

  it('writes nothing without being told to', () => {
    const { files } = planRelease(root, '1.0.0', TODAY);

    expect([...files.keys()].sort()).toEqual(
      [
        ...['CHANGELOG.md', 'package.json', 'package-lock.json', 'apps/website/package.json'],
        ...['libs/client/package.json', 'docker/compose.yaml', 'k8s/website.yaml', 'docs/guides/a.md'],
        'k8s/overlays/production/settings.yaml',
      ].sort(),
    );
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'tag')).toBe('');
  });

  it('sets the version of ours everywhere, of nothing else, commits it and tags the commit', () => {
    release('1.0.0');

    expect(JSON.parse(read('apps/website/package.json'))).toMatchObject({
      version: '1.0.0',
      dependencies: { '@vitrine/client': '1.0.0', pg: '0.9.0' },
      peerDependencies: { '@vitrine/client': '1.0.0' },
    });
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '1.0.0',
      packages: { 'apps/website': { version: '1.0.0' }, 'node_modules/pg': { version: '0.9.0' } },
    });
    expect(read('docker/compose.yaml')).toBe(
      'image: vitrine/website:${VITRINE_VERSION:-1.0.0}\nother: redis:0.9.0\n',
    );
    expect(read('k8s/website.yaml')).toBe('image: vitrine/website:1.0.0\nimage: vitrine/website:0.9.0.1\n');
    expect(read('k8s/overlays/production/settings.yaml')).toBe('  VERSION: 1.0.0\n');
    expect(read('docs/guides/a.md')).toBe('registry.example.org/vitrine/website:1.0.0, since 0.9.0\n');
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'rev-list', '-1', 'v1.0.0')).toBe(git(root, 'rev-parse', 'HEAD'));
  });

  it('turns what is unreleased into a section that says what an upgrade brings', () => {
    release('1.0.0');
    expect(read('CHANGELOG.md')).toBe(
      [
        '# Changelog\n\n## Unreleased\n\n## 1.0.0 (2030-05-06)\n\n- Everything.\n',
        '### Upgrading to 1.0.0\n\n- Migrations: 0001-users.\n',
      ].join('\n'),
    );

    write('libs/database/schema/migrations/0002-posts.sql', 'select 1;\n');
    write('.env.example', '# Why\n# PORT=1\n\n# OLD=1\n\n# NEW=1\n');
    write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- Posts.\n'));
    commit('Add posts');
    release('1.1.0');

    expect(read('CHANGELOG.md')).toMatch(
      /## Unreleased\n\n## 1\.1\.0 \(2030-05-06\)\n\n- Posts\.\n\n### Upgrading to 1\.1\.0\n\n- Migrations: 0002-posts\.\n- New settings: `NEW`\.\n\n## 1\.0\.0/,
    );
  });

  it.each([
    ['a number that is none', '1.0', () => undefined, 'not a version'],
    ['a number that leaves one out', '0.11.0', () => undefined, 'follows 0.9.1, 0.10.0 or 1.0.0'],
    ['a tree with changes', '1.0.0', () => write('docs/guides/a.md', ''), 'not committed'],
    ['a tag that exists', '1.0.0', () => git(root, 'tag', 'v1.0.0'), 'exists'],
    [
      'a changelog without news',
      '1.0.0',
      () => {
        write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 0.9.0\n\n- Old.\n');
        commit('Empty');
      },
      'nothing below "Unreleased"',
    ],
    ['migrations in a patch release', '0.9.1', () => undefined, '0001-users: this needs a minor'],
    [
      'a removed setting in a minor release',
      '0.10.0',
      () => {
        git(root, 'tag', 'v0.9.0');
        write('.env.example', '# Why\n# PORT=1\n');
        commit('Remove OLD');
      },
      'OLD: this needs a major',
    ],
  ])('refuses %s', (_, version, prepare, message) => {
    prepare();

    expect(() => planRelease(root, version, TODAY)).toThrow(message);
  });
});

describe('this repository', () => {
  it('names one version of Vitrine everywhere', () => {
    expect(findOtherVersions(resolve(__dirname, '../../../..'))).toEqual([]);
  });
});
