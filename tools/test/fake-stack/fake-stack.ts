import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePortRange } from '@vitrine/testing';

const SERVICES = ['api-gateway', 'upload-service', 'media-processor', 'moderation-service', 'website'];
const PUBLIC_PORTS = 3;
const MANAGEMENT_PORTS = SERVICES.length;

export interface Running {
  readonly child: ChildProcess;
  /** Everything that it has written so far. */
  readonly output: () => string;
  /** Resolves with its exit status; null if a signal killed it. */
  readonly exited: Promise<number | null>;
}

/** A folder of fake processes, in a path with spaces, which the real supervisor runs. */
export class FakeStack {
  readonly root: string;
  private readonly guards = new Set<number>();

  private constructor(
    private readonly folder: string,
    readonly ports: Readonly<Record<string, number>>,
  ) {
    this.root = join(folder, 'a path with spaces');
  }

  /** `like`: a stopped stack whose data folder is copied, because making a new cluster takes most of a first start. */
  static async create(like?: FakeStack): Promise<FakeStack> {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-supervisor-'));
    chmodSync(folder, 0o755);
    // Consecutive ports, so that no two processes share one.
    const first = await freePortRange(PUBLIC_PORTS + MANAGEMENT_PORTS);
    const ports = {
      API_PORT: first,
      UPLOAD_PORT: first + 1,
      SITE_PORT: first + 2,
      MANAGEMENT_PORT: first + PUBLIC_PORTS,
    };
    const stack = new FakeStack(folder, ports);
    for (const name of SERVICES) {
      const dist = join(stack.root, 'apps', name, 'dist');
      mkdirSync(join(dist, 'app'), { recursive: true });
      copyFileSync(join(__dirname, 'service.cjs'), join(dist, 'main.js'));
      const rootModule = name === 'website' ? 'app/site.js' : `${name}.module.js`;
      copyFileSync(join(__dirname, 'module.cjs'), join(dist, rootModule));
      stack.describe('apps', name, name === 'api-gateway' ? { '@vitrine/shared': '*' } : {});
    }
    mkdirSync(join(stack.root, 'libs/shared/dist'), { recursive: true });
    stack.describe('libs', 'shared');
    mkdirSync(join(stack.root, 'tools'), { recursive: true });
    copyFileSync(join(__dirname, 'tool.cjs'), join(stack.root, 'tools/tool.cjs'));
    // Keeps owners and modes, which PostgreSQL checks.
    if (like) execFileSync('cp', ['-a', join(like.root, '.data'), stack.root]);
    return stack;
  }

  /** Does what a compilation of a project does to its output files. */
  rebuild(project: string): void {
    const file = join(this.root, project, 'dist/main.js');
    if (existsSync(file)) appendFileSync(file, '// changed\n');
    else writeFileSync(file, '');
  }

  /** Runs the operator's launcher with the arguments for the fake tool, which exits with `FAKE_STATUS`. */
  operate(
    args: readonly string[],
    env: Record<string, string> = {},
  ): { stdout: string; stderr: string; status: number | null } {
    return spawnSync(process.execPath, [join(__dirname, 'operate.mjs'), this.root, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], FAKE_REQUIRE_FROM: __filename, FAKE_STATUS: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Starts the supervisor; `through` puts a shell between, as npm does. */
  start(
    env: Record<string, string> = {},
    { through = 'node', watch = false }: { through?: 'node' | 'shell'; watch?: boolean } = {},
  ): Running {
    const args = [join(__dirname, 'supervise.mjs'), this.root, ...(watch ? ['--watch'] : [])];
    const [command, rest]: [string, string[]] =
      through === 'node'
        ? [process.execPath, args]
        : ['sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, ...args]];
    const child = spawn(command, rest, {
      env: { PATH: process.env['PATH'], ...stringPorts(this.ports), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const written: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
    }
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, output: () => written.join(''), exited };
  }

  async untilReady(running: Running): Promise<void> {
    await eventually(() => {
      if (!running.output().includes('Vitrine is ready')) throw new Error(`Not ready:\n${running.output()}`);
      this.guards.add(this.state().guardPid);
    });
  }

  /** The environment that a process was given. */
  async environmentOf(name: string): Promise<Record<string, string | undefined>> {
    return (await fetch(`${this.managementUrl(name)}/environment`)).json() as Promise<Record<string, string>>;
  }

  /** The names of the variables that a process had when it loaded its modules. */
  async variablesAtLoad(name: string): Promise<readonly string[]> {
    return (await fetch(`${this.managementUrl(name)}/variables-at-load`)).json() as Promise<string[]>;
  }

  managementUrl(name: string): string {
    return `http://127.0.0.1:${(this.ports['MANAGEMENT_PORT'] ?? 0) + SERVICES.indexOf(name)}`;
  }

  /** What the supervisor has published in the data folder. */
  state(): { pid: number; guardPid: number; environment: { DATABASE_URL: string } } {
    return JSON.parse(readFileSync(join(this.root, '.data/running.json'), 'utf8'));
  }

  postmasterPid(): number {
    return Number.parseInt(
      readFileSync(join(this.root, '.data/postgres/cluster/postmaster.pid'), 'utf8'),
      10,
    );
  }

  /** The pid of a process, as it last said itself. */
  pidOf(name: string, running: Running): number {
    const lines = [...running.output().matchAll(new RegExp(`^${name} +\\| up as (\\d+)$`, 'gm'))];
    return Number(lines.at(-1)?.[1]);
  }

  /** Processes, other than zombies, that belong to this stack. */
  leftOver(): string[] {
    return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => {
        const [pid, state] = line.split(/\s+/);
        return (line.includes(this.root) || this.guards.has(Number(pid))) && !state?.startsWith('Z');
      });
  }

  private describe(group: string, name: string, dependencies: Record<string, string> = {}): void {
    const manifest = JSON.stringify({ name: `@vitrine/${name}`, dependencies });
    writeFileSync(join(this.root, group, name, 'package.json'), manifest);
  }

  /** Ends all processes and removes all files that the test left. */
  async remove(): Promise<void> {
    for (const line of this.leftOver()) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    await eventually(() => {
      if (this.leftOver().length > 0) throw new Error(this.leftOver().join('\n'));
    });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function stringPorts(ports: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
}
