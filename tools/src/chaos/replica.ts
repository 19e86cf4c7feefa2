import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from './ready-proxy';

const ROOT = resolve(__dirname, '../../..');
const READY_POLL_MS = 100;

export interface ReplicaOptions {
  /** Its own, e.g. `api-gateway-2`. */
  readonly name: string;
  readonly service: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Of its public port; its management port where it has no other. */
  readonly port: number;
  readonly managementPort: number;
  /** What it writes goes there. */
  readonly logFile: string;
}

/** One process of a service, run beside those of the stack, which is started and ended as a pod is. */
export class Replica {
  private child: ChildProcess | undefined;
  private readonly log: WriteStream;

  constructor(private readonly options: ReplicaOptions) {
    this.log = createWriteStream(options.logFile, { flags: 'a' });
  }

  get name(): string {
    return this.options.name;
  }

  get endpoint(): Endpoint {
    const { name, port, managementPort } = this.options;
    return { name, port, readyUrl: `http://127.0.0.1:${managementPort}/health/ready` };
  }

  /** Resolves when it is ready. Throws where it ends before. */
  async start(patienceMs: number): Promise<void> {
    const { service, environment, name } = this.options;
    const child = spawn(process.execPath, [resolve(ROOT, 'apps', service, 'dist/main.js')], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdout.pipe(this.log, { end: false });
    child.stderr.pipe(this.log, { end: false });
    const deadline = Date.now() + patienceMs;
    while (!(await isReady(this.endpoint.readyUrl))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${name} did not become ready`);
      await pause(READY_POLL_MS);
    }
  }

  /** Asks it to end, and resolves with its exit status; null where it had to be killed after `patienceMs`. */
  async stop(patienceMs: number): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const force = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.kill('SIGTERM');
    const [status] = await ended;
    clearTimeout(force);
    return status;
  }

  close(): void {
    this.log.end();
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
