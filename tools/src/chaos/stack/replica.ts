import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '../faults/ready-proxy';

const ROOT = resolve(__dirname, '../../../..');
const READY_POLL_MS = 100;

export interface ReplicaOptions {
  /** The name of this replica, e.g. `api-gateway-2`. */
  readonly name: string;
  readonly service: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Its public port, or its management port if it has no other. */
  readonly port: number;
  readonly managementPort: number;
  /** The file that its output is appended to. */
  readonly logFile: string;
}

/** One process of a service beside those of the stack; it is started and stopped like a pod. */
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

  /** Starts the process and resolves when it is ready. Throws when it ends first, or after `patienceMs`. */
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

  /** Sends SIGTERM and resolves with the exit status; null when it had to be killed after `patienceMs`. */
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
