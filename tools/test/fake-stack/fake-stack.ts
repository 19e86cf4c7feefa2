import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@vitrine/testing';

const SERVICES = ['api-gateway', 'upload-service', 'media-processor', 'moderation-service', 'website'];
const MANAGEMENT_PORTS = SERVICES.length;
/** A busy machine takes a multiple of the usual second. */
const START_MS = 60_000;

export interface Running {
  readonly child: ChildProcess;
  /** Everything that it has written so far. */
  readonly output: () => string;
  /** Resolves with its exit status; null where a signal killed it. */
  readonly exited: Promise<number | null>;
}

/** A folder of fake processes, in a path with spaces, on which the real supervisor is let loose. */
export class FakeStack {
  readonly root: string;
  private readonly guards = new Set<number>();

  private constructor(
    private readonly folder: string,
    readonly ports: Readonly<Record<string, number>>,
  ) {
    this.root = join(folder, 'a path with spaces');
  }

  static async create(): Promise<FakeStack> {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-supervisor-'));
    chmodSync(folder, 0o755);
    const ports = {
      API_PORT: await freePort(),
      UPLOAD_PORT: await freePort(),
      SITE_PORT: await freePort(),
      MANAGEMENT_PORT: await freePortRange(),
    };
    const stack = new FakeStack(folder, ports);
    for (const name of SERVICES) {
      const dist = join(stack.root, 'apps', name, 'dist');
      mkdirSync(dist, { recursive: true });
      copyFileSync(join(__dirname, 'service.cjs'), join(dist, 'main.js'));
    }
    return stack;
  }

  /** Starts the supervisor; `through` puts a shell between, as npm does. */
  start(env: Record<string, string> = {}, through: 'node' | 'shell' = 'node'): Running {
    const args = [join(__dirname, 'supervise.mjs'), this.root];
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
    }, START_MS);
  }

  /** The environment that a process was given. */
  async environmentOf(name: string): Promise<Record<string, string | undefined>> {
    return (await fetch(`${this.managementUrl(name)}/environment`)).json() as Promise<Record<string, string>>;
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

  /** Ends and removes all of it, whatever the test has left. */
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

/** The first of five free ports in a row. */
async function freePortRange(): Promise<number> {
  for (;;) {
    const first = await freePort();
    if (first + MANAGEMENT_PORTS > 65_535) continue;
    const rest = Array.from({ length: MANAGEMENT_PORTS - 1 }, (_, index) => first + 1 + index);
    const free = await Promise.all(rest.map(isFree));
    if (free.every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    () => true,
  );
}
