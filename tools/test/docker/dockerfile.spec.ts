import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerfileParser, From } from 'dockerfile-ast';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { isInContext } from './build-context';
import { DockerBuild, IMAGES, ROOT, SERVICES } from './docker-build';
import { filesOf } from './image-folder';

const build = new DockerBuild();
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Variables of Node.js and glibc that an image or the Compose file may set besides our settings. */
const OF_THE_RUNTIME = ['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_'];
/** Every declared setting; another test compares the file with the configuration classes. */
const settings = [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '');

const runs = (stage: string): string[] =>
  build
    .history(stage)
    .filter((instruction) => instruction.getKeyword() === 'RUN')
    .map((instruction) => instruction.getArgumentsContent() ?? '');

describe('docker/Dockerfile', () => {
  it('has no faults that a linter finds', () => {
    const problems = validate(build.text, { deprecatedMaintainer: ValidationSeverity.ERROR });
    expect(problems.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([]);
  });

  it('uses base images with full versions, only Node.js on Debian', () => {
    expect(build.defaults['NODE_IMAGE']).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
    const bases = [...build.stages.values()]
      .map(({ base }) => base)
      .filter((base) => !build.stages.has(base));
    expect([...new Set(bases)].sort()).toEqual([build.defaults['NODE_IMAGE'], 'scratch'].sort());
  });

  it('runs a Node.js that every production dependency supports', () => {
    const [, version = ''] = /^node:(\d+)\./.exec(build.defaults['NODE_IMAGE'] ?? '') ?? [];
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean; os?: readonly string[]; engines?: { node?: string } }>;
    };
    const refusing = Object.entries(packages)
      .filter(([, { dev, os = ['linux'] }]) => !dev && os.includes('linux'))
      .filter(([, { engines }]) => engines?.node && !takes(engines.node, Number(version)))
      .map(([place]) => place);
    // We load only its weights, which need no engine.
    expect(refusing).toEqual(['apps/moderation-service/node_modules/nsfwjs']);
  });

  it('uses no instruction that hides where a file comes from', () => {
    const keywords = DockerfileParser.parse(build.text)
      .getInstructions()
      .map((instruction) => instruction.getKeyword());
    expect(keywords.filter((keyword) => ['ADD', 'ONBUILD', 'VOLUME', 'SHELL'].includes(keyword))).toEqual([]);
  });

  it('contains no secret', () => {
    const named = DockerfileParser.parse(build.text)
      .getInstructions()
      .filter((each) => !(each instanceof From) && ['ARG', 'ENV', 'LABEL'].includes(each.getKeyword()))
      .map((each) => each.getArgumentsContent() ?? '');
    expect(named.filter((text) => /secret|password|token|credential|key\b|:\/\/[^/]*@/i.test(text))).toEqual(
      [],
    );
  });

  it('hides the environment of the media processor from its decoders', async () => {
    const [, mode = '', programs = ''] =
      /^chmod (\d+) (.+)$/m.exec(
        runs('media-processor')
          .filter((command) => command.startsWith('chmod'))
          .join('\n'),
      ) ?? [];
    expect(programs.split(' ')).toEqual(['/usr/local/bin/node', '/usr/bin/tini']);
    // Only root can make a program executable but unreadable for a user, and then run as that user.
    const isRoot = process.getuid?.() === 0;
    const place = await mkdtemp(join(tmpdir(), 'vitrine-unreadable-'));
    try {
      await chmod(place, 0o755);
      const node = join(place, 'node');
      await copyFile(process.execPath, node);
      await chmod(node, parseInt(mode, 8));
      const decoder = `
        const tell = (file) => { try { require('fs').readFileSync(file); return 'read'; } catch (error) { return error.code; } };
        process.stdout.write(['environ', 'statm'].map((name) => tell('/proc/' + process.ppid + '/' + name)).join());`;
      const service = `require('child_process').spawnSync(process.execPath, ['-e', process.argv[1]], { env: {}, stdio: 'inherit' });`;
      const { stdout } = spawnSync(node, ['-e', service, decoder], {
        cwd: '/',
        encoding: 'utf8',
        env: { BUS_URL: 'amqp://vitrine:canary@rabbitmq' },
        ...(isRoot ? { uid: 10_001, gid: 10_001 } : {}),
      });
      // Memory limits need the second program.
      expect(stdout).toBe(isRoot ? 'EACCES,read' : 'read,read');
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });

  it('leaves no package lists, and installs no recommended packages', () => {
    const installing = [...build.stages.keys()]
      .flatMap((stage) => runs(stage))
      .filter((command) => command.includes('apt-get'));
    expect(installing.length).toBeGreaterThan(0);
    for (const command of installing) {
      expect(command).toMatch(/apt-get update .*&&.*apt-get install --yes --no-install-recommends/s);
      expect(command).toContain('rm -rf /var/lib/apt/lists/*');
    }
  });

  it('has the manifests of all packages before it installs any', () => {
    const workspaces = ['apps', 'libs', 'tools']
      .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
      .map((folder) => `${folder}/package.json`)
      .filter((path) => existsSync(join(ROOT, path)));
    const copied = build.copies(build.stage('manifests').instructions);
    expect(copied.flatMap(({ sources }) => sources).sort()).toEqual(
      ['package.json', 'package-lock.json', ...workspaces].sort(),
    );
    for (const { sources, destination } of copied) {
      for (const source of sources) expect(join(destination, source.replace(/.*\//, ''))).toBe(source);
    }
  });

  it('copies only files that exist or that an earlier stage has created', () => {
    const names = [...build.stages.keys()];
    for (const [index, name] of names.entries()) {
      for (const { from, sources } of build.copies(build.stage(name).instructions)) {
        for (const source of sources) {
          if (from === undefined) {
            expect([source, existsSync(join(ROOT, source)), isInContext(source)]).toEqual([
              source,
              true,
              true,
            ]);
          } else {
            expect([name, from, names.indexOf(from) >= 0 && names.indexOf(from) < index]).toEqual([
              name,
              from,
              true,
            ]);
            if (from === 'build')
              expect([source, existsSync(join(ROOT, source.slice('/app/'.length)))]).toEqual([source, true]);
          }
        }
      }
    }
  });

  it('gives the compiler every source that it compiles here', async () => {
    const compiled = ['apps', 'libs', 'tools']
      .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
      .filter((project) => existsSync(join(ROOT, project, 'tsconfig.json')));
    for (const project of compiled) {
      const sources = (await filesOf(join(ROOT, project, 'src'))).map((file) => `${project}/src/${file}`);
      const withheld = sources.filter((file) => !isInContext(file) && !/\.spec\.tsx?$/.test(file));
      expect(withheld).toEqual([]);
      expect(isInContext(`${project}/tsconfig.json`)).toBe(true);
    }
  });

  it('sets no unknown setting', () => {
    const kept = [
      '.git/config',
      '.env',
      'docker/.env',
      '.data/secrets',
      'docs/api.md',
      'node_modules/a/index.js',
    ];
    const tests = [
      'apps/website/test/a.spec.ts',
      'tools/test/a.spec.ts',
      'libs/http/src/a.spec.ts',
      'libs/http/dist/a.js',
    ];
    expect([...kept, ...tests].filter(isInContext)).toEqual([]);
  });

  describe.each(IMAGES)('%s', (image) => {
    it('runs as a user without rights, behind an init, without a shell', () => {
      expect(build.last(image, 'USER')).toBe('10001:10001');
      expect(build.command(image).slice(0, 3)).toEqual(['/usr/bin/tini', '--', 'node']);
      expect(runs(image).join()).toMatch(/apt-get install [^&]*\btini\b/);
      expect(build.last(image, 'STOPSIGNAL')).toBe('SIGTERM');
    });

    it('has labels that describe it', () => {
      const labels = build
        .history(image)
        .filter((instruction) => instruction.getKeyword() === 'LABEL')
        .map((instruction) => instruction.getArgumentsContent() ?? '')
        .join('\n');
      for (const label of ['title', 'description', 'version', 'revision', 'licenses']) {
        expect(labels).toContain(`org.opencontainers.image.${label}=`);
      }
    });

    it('sets settings that exist', () => {
      const unknown = Object.keys(build.environment(image)).filter(
        (name) => !settings.includes(name) && !OF_THE_RUNTIME.includes(name),
      );
      expect(unknown).toEqual([]);
    });

    it('has no package manager, and ffmpeg only in the image that decodes uploads', () => {
      const commands = runs(image).join('\n');
      for (const tool of ['npm', 'npx', 'corepack', 'yarn'])
        expect(commands).toContain(`/usr/local/bin/${tool}`);
      expect(/install [^&]*\bffmpeg\b/.test(commands)).toBe(image === 'media-processor');
      expect(build.environment(image)['FFMPEG_PATH']).toBe(
        image === 'media-processor' ? '/usr/bin/ffmpeg' : undefined,
      );
      const decodes = ['media-processor', 'moderation-service'].includes(image);
      expect(build.environment(image)['MALLOC_ARENA_MAX']).toBe(decodes ? '2' : undefined);
    });

    it('holds the libraries that it imports, and no others', () => {
      const manifestOf = (name: string): { dependencies?: Record<string, string> } =>
        JSON.parse(read(`${folderOf(name)}/package.json`));
      const needed = new Set<string>();
      const add = (name: string): void => {
        for (const dependency of Object.keys(manifestOf(name).dependencies ?? {})) {
          const [, library] = /^@vitrine\/(.*)$/.exec(dependency) ?? [];
          if (library && !needed.has(library)) {
            needed.add(library);
            add(library);
          }
        }
      };
      add(image);
      const copied = build
        .copies(build.history(image))
        .flatMap(({ sources }) =>
          sources.map((source) => /^\/app\/(?:libs|tools)\/([a-z]+)\/dist$/.exec(source)?.[1]),
        )
        .filter((library) => library !== undefined && library !== image);
      expect(copied.sort()).toEqual([...needed].sort());
      const sources = build.copies(build.history(image)).flatMap((copy) => copy.sources);
      expect(sources.includes('/app/libs/database/schema')).toBe(needed.has('database'));
    });
  });

  it.each(SERVICES)('%s has a health check for its liveness', (service) => {
    expect(build.last(service, 'HEALTHCHECK')).toMatch(/CMD \["node", "health-check\.mjs", "live"\]$/);
    expect(build.environment(service)).toMatchObject({ MANAGEMENT_HOST: '0.0.0.0', MANAGEMENT_PORT: '9100' });
  });
});

const folderOf = (name: string): string => {
  if (['admin', 'demo'].includes(name)) return `tools/${name}`;
  return `${SERVICES.some((service) => service === name) ? 'apps' : 'libs'}/${name}`;
};

/** Whether a version range of a package includes the latest release of this major version. */
function takes(range: string, major: number): boolean {
  return range.split('||').some((alternative) =>
    alternative
      .trim()
      .replace(/([<>=^~]+)\s+/g, '$1')
      .split(/\s+/)
      .every((part) => {
        const [, sign = '', first = ''] = /^([<>=^~]*)v?(\d+|\*)/.exec(part) ?? [];
        if (first === '*') return true;
        if (sign === '>=' || sign === '>') return major >= Number(first);
        if (sign === '<' || sign === '<=') return major < Number(first);
        return major === Number(first);
      }),
  );
}
