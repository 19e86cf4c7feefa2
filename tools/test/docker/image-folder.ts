import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isInContext } from './build-context';
import { type CopyStep, type DockerBuild, ROOT } from './docker-build';

const run = promisify(execFile);

/** The folders of the workspace in the build stages and of the app in the images. */
const WORKDIR = '/app';

/** The command line of npm: the npm that runs the tests, or the one on the PATH. */
function npm(): readonly string[] {
  const own = process.env['npm_execpath'];
  return own?.endsWith('npm-cli.js') ? [process.execPath, own] : ['npm'];
}

/**
 * Creates the contents of /app of the Dockerfile's targets in folders on this machine, following its steps: files that it
 * copies from the build stage come from the repository's own build, and installed packages are hard links.
 */
export class ImageFolders {
  private readonly stages = new Map<string, Promise<string>>();

  private constructor(
    private readonly build: DockerBuild,
    private readonly root: string,
  ) {}

  static async create(build: DockerBuild): Promise<ImageFolders> {
    const root = await mkdtemp(join(tmpdir(), 'vitrine-images-'));
    await chmod(root, 0o755);
    const bin = join(root, 'bin');
    await mkdir(bin);
    const [node, stand] = [process.execPath, join(__dirname, 'linking-npm.mjs')].map(quoted);
    await writeFile(join(bin, 'npm'), `#!/bin/sh\nexec ${node} ${stand} "$@"\n`, { mode: 0o755 });
    return new ImageFolders(build, root);
  }

  /**
   * The folder used in place of /app of this target. `real`: npm itself installs the packages, from its cache if
   * possible.
   */
  folder(target: string, { real = false } = {}): Promise<string> {
    let made = this.stages.get(target);
    if (!made) this.stages.set(target, (made = this.make(target, real)));
    return made;
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  private async make(target: string, real: boolean): Promise<string> {
    const folder = join(this.root, target);
    await mkdir(folder);
    const history = this.build.history(target);
    for (const step of this.build.copies(history)) await this.copy(step, folder, real);
    const script = history
      .filter((each) => each.getKeyword() === 'RUN')
      .map((each) =>
        /node \/build\/docker\/(install-production\.mjs) (\S+)$/.exec(each.getArgumentsContent() ?? ''),
      )
      .find((match) => match !== null);
    if (script?.[1] && script[2]) await this.install(folder, [script[1], script[2]], real);
    return folder;
  }

  private async install(folder: string, [script, name]: [string, string], real: boolean): Promise<void> {
    await run(process.execPath, [join(ROOT, 'docker', script), name], {
      cwd: folder,
      env: {
        ...process.env,
        ...(real ? {} : { PATH: `${join(this.root, 'bin')}:${process.env['PATH']}` }),
        REAL_NPM: JSON.stringify(npm()),
        PATH_OF_REAL_NPM: process.env['PATH'],
        INSTALLED_IN: ROOT,
        npm_config_prefer_offline: 'true',
      },
    });
  }

  private async copy({ from, sources, destination }: CopyStep, folder: string, real: boolean): Promise<void> {
    const target = resolve(folder, relative(WORKDIR, resolve(WORKDIR, destination)));
    for (const source of sources) {
      const { path, admits } = await this.locate(from, source, real);
      const isFolder = (await stat(path)).isDirectory();
      const into = !isFolder && (destination.endsWith('/') || sources.length > 1);
      const to = into ? join(target, basename(path)) : target;
      await mkdir(dirname(to), { recursive: true });
      if (admits) await cp(path, to, { recursive: true, verbatimSymlinks: true, filter: admits });
      else await run('cp', ['--archive', '--link', `${path}/.`, to]);
    }
  }

  /**
   * The path of a COPY's source on this machine, and the files in it that exist in the build; a folder
   * created for this build contains only those.
   */
  private async locate(
    from: string | undefined,
    source: string,
    real: boolean,
  ): Promise<{ path: string; admits?: (path: string) => boolean }> {
    if (from === undefined) {
      return { path: join(ROOT, source), admits: (path) => isInContext(relative(ROOT, path)) };
    }
    const inside = relative(WORKDIR, source);
    if (from === 'build') {
      const deleted = deletedAfterBuild(this.build);
      return {
        path: join(ROOT, inside),
        admits: (path) => !deleted.some((name) => name.test(basename(path))),
      };
    }
    const { name, base } = this.build.stage(from);
    if (base === 'scratch') {
      const empty = join(this.root, name, inside);
      await mkdir(empty, { recursive: true });
      return { path: empty };
    }
    return { path: join(await this.folder(name, { real }), inside) };
  }
}

/** Names of the files that the build stage deletes after the build. */
function deletedAfterBuild(build: DockerBuild): readonly RegExp[] {
  return build
    .stage('build')
    .instructions.map((each) => each.getArgumentsContent() ?? '')
    .filter((text) => text.includes('-delete'))
    .flatMap((text) => [...text.matchAll(/-name '([^']+)'/g)].map(([, glob]) => glob ?? ''))
    .map((glob) => new RegExp(`^${glob.replace(/\./g, '\\.').replace(/\*/g, '.*')}$`));
}

/** Paths of all files in a folder, relative to it. */
export async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Quotes a text as one word for a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
