import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { Guard } from '../embedded-postgres/guard';
import type { LogLines } from './log-lines';
import { restartDelayMs } from './restart-delay';

const LEASH = resolve(__dirname, '../../bin/leash.cjs');

export interface ServiceProgram {
  readonly name: string;
  /** The file that Node runs. */
  readonly main: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** One process of Vitrine: started, watched, started again when it dies, and stopped. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;
  private delayMs: number | undefined;
  private bornAt = 0;
  /** Times in a row that it ended by itself with an error before it had lived for a minute. */
  failures = 0;

  constructor(
    private readonly program: ServiceProgram,
    private readonly log: LogLines,
    private guard: Guard,
    private readonly onFailure: (service: ServiceProcess) => void,
  ) {}

  get name(): string {
    return this.program.name;
  }

  start(): void {
    const { name, main, environment } = this.program;
    this.bornAt = Date.now();
    // A group of its own: a terminal's Ctrl-C reaches the supervisor alone, which stops things in their order.
    const child = spawn(process.execPath, ['--require', LEASH, main], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...openEnvironment(environment), VITRINE_SUPERVISOR_PID: String(process.pid) },
    });
    this.child = child;
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify(environment)}\n`);
    this.log.follow(name, child.stdout);
    this.log.follow(name, child.stderr);
    if (child.pid !== undefined) this.guard.watch(child.pid);
    this.ended = new Promise((done) => {
      child.once('error', (error) => this.log.write(name, `could not be started: ${error.message}`));
      child.once('exit', () => done());
      child.once('error', () => done());
    });
    void this.ended.then(() => this.onEnd(child));
  }

  /** Puts the living process under a new guard, after the old one was lost. */
  watchBy(guard: Guard): void {
    this.guard = guard;
    if (this.isAlive() && this.child?.pid !== undefined) guard.watch(this.child.pid);
  }

  /** Ends the process in order and starts it anew: its program has changed. */
  async renew(): Promise<void> {
    if (this.stopping) return;
    await this.stop();
    this.stopping = false;
    this.delayMs = undefined;
    this.start();
  }

  /** Lets the process finish what it began; after `patienceMs` it is ended by force. */
  async stop(patienceMs = 30_000): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restart);
    if (!this.isAlive()) return;
    this.child?.kill('SIGTERM');
    const force = setTimeout(() => {
      this.log.write(this.name, `did not end within ${Math.round(patienceMs / 1000)} s; ending it by force`);
      this.kill();
    }, patienceMs);
    await this.ended;
    clearTimeout(force);
  }

  /** Ends the process and all that it started, at once. */
  kill(): void {
    killGroup(this.child);
  }

  private isAlive(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private onEnd(child: ChildProcess): void {
    // What it started itself, such as an encoder, must not outlive it.
    killGroup(child);
    if (child.pid !== undefined) this.guard.forget(child.pid);
    if (this.stopping) return;
    const livedMs = Date.now() - this.bornAt;
    this.delayMs = restartDelayMs(this.delayMs, livedMs);
    this.failures = child.signalCode === null ? this.failures + 1 : 0;
    this.log.write(
      this.name,
      `has ended (${child.signalCode ?? `status ${child.exitCode}`}); starting it again in ${this.delayMs / 1000} s`,
    );
    this.restart = setTimeout(() => this.start(), this.delayMs);
    this.onFailure(this);
  }
}

/**
 * Variables that a process needs before its first line of JavaScript. It gets all others on stdin, where other users
 * can't see them.
 */
const NEEDED_EARLY =
  /^(PATH|HOME|USER|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_\w+|MALLOC_\w+|GLIBC_TUNABLES|LD_\w+|UV_\w+|SSL_CERT_\w+|OPENSSL_\w+|SYSTEMROOT)$/i;

const openEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => NEEDED_EARLY.test(name)));

function killGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
