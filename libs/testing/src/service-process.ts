import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { PATIENCE_MS } from './waiting/eventually';

const ROOT = resolve(__dirname, '../../..');
const POLL_MS = 25;
/** So many characters of the log are shown for a process that ended with an error. */
const LOG_TAIL = 4_000;

/** The setting of each service's public port; the others have none. */
const PUBLIC_PORT: Readonly<Record<string, string>> = {
  'api-gateway': 'API_PORT',
  'upload-service': 'UPLOAD_PORT',
  website: 'SITE_PORT',
};

/** A built service that runs as a separate process. */
export interface ServiceProcess {
  /** `http://127.0.0.1:<port>` of its public port, or of its management port if it has no public one. */
  readonly url: string;
  readonly managementUrl: string;
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** Sends the signal and resolves with the exit status when the process has ended; null if the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServiceOptions {
  /** Its settings; ports are optional. Only `PATH`, `HOME` and `TMPDIR` are inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolve as soon as the process is alive, for tests in which a dependency is unavailable. */
  readonly untilAlive?: boolean;
  /** Another program of the service than `main.js`, and its arguments. */
  readonly program?: readonly [path: string, ...args: string[]];
}

/** The processes that end with this one, however it ends, unless it is killed. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts `apps/<name>/dist/main.js` on free ports and waits until it is ready. Otherwise throws with its output. */
export async function startService(
  name: string,
  { env, untilAlive, program: [path = 'main.js', ...args] = ['main.js'] }: ServiceOptions,
): Promise<ServiceProcess> {
  const main = resolve(ROOT, 'apps', name, 'dist', path);
  if (!existsSync(main)) throw new Error(`${main} is not built: run npm run build`);
  const setting = PUBLIC_PORT[name];
  const publicPort = (setting && env[setting]) ?? (await freePort());
  const managementPort = await freePort();
  const child = spawn(process.execPath, [main, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TMPDIR: process.env['TMPDIR'],
      // Of Node 22.1 or later; the folder is of this run.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      LOG_FORMAT: 'json',
      // Tests register as many accounts as they need from one address.
      ACCOUNTS_PER_ADDRESS_PER_DAY: '1000000',
      // Otherwise files that a test counts would appear at some time after the others.
      ALTERNATIVES_SECONDS_PER_HOUR: '0',
      ...(setting && { [setting]: String(publicPort) }),
      MANAGEMENT_PORT: String(managementPort),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
  }
  const exited = once(child, 'exit') as Promise<[number | null]>;
  running.add(child);
  void exited.then(() => running.delete(child));

  const managementUrl = `http://127.0.0.1:${managementPort}`;
  const service: ServiceProcess = {
    url: setting ? `http://127.0.0.1:${publicPort}` : managementUrl,
    managementUrl,
    pid: child.pid ?? 0,
    output: () => written.join(''),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [status] = await exited;
      // A test can only compare the status; its cause is in the log.
      if (status) process.stderr.write(written.join('').slice(-LOG_TAIL));
      return status;
    },
  };
  const check = untilAlive ? '/health/live' : '/health/ready';
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await answers(managementUrl + check))) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await service.stop('SIGKILL');
      throw new Error(`${name} did not become ready:\n${service.output()}`);
    }
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
  return service;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Below the ports that systems use for outgoing connections (Linux: from 32,768). */
const PORTS = { from: 20_000, to: 32_000 };

/**
 * The ports are divided among Jest's workers, because a port is free until the process that received it listens: two
 * workers that start processes at the same time could otherwise choose the same one.
 */
const PARTS = 8;
const PART = (PORTS.to - PORTS.from) / PARTS;

/** Ports already chosen, which may not be in use yet. */
const given = new Set<number>();

/** A port that was free a moment ago. One process never gets the same port twice, nor do two of Jest's workers. */
export function freePort(): Promise<number> {
  return freePortRange(1);
}

/** The first of `count` consecutive ports that were free a moment ago. One process never gets the same port twice. */
export async function freePortRange(count: number): Promise<number> {
  // The keeper of stacks is no worker of Jest's.
  const part = Number(process.env['JEST_WORKER_ID'] ?? 0) % PARTS;
  const from = PORTS.from + part * PART;
  for (;;) {
    const first = randomInt(from, from + PART - count + 1);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if (ports.some((port) => given.has(port))) continue;
    // Before the check, during which another call may choose the same ports.
    for (const port of ports) given.add(port);
    if (await areFree(ports)) return first;
  }
}

/** Whether nobody listens on these ports: on loopback, and on all addresses, as brokers do. */
async function areFree(ports: readonly number[]): Promise<boolean> {
  for (const port of ports) {
    for (const host of ['127.0.0.1', undefined]) if (!(await canListen(port, host))) return false;
  }
  return true;
}

async function canListen(port: number, host: string | undefined): Promise<boolean> {
  const server = createServer();
  const can = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, host, () => resolve(true));
  });
  if (can) await new Promise((closed) => server.close(closed));
  return can;
}
