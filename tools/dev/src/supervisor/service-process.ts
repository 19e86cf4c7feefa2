import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { Guard } from '../embedded-postgres/guard';
import type { LogLines } from './log-lines';
import { RestartDelay } from './restart-delay';
import type { DatabaseAddresses } from './stack-database';

const END_WITH_PARENT = resolve(__dirname, '../../../bin/end-with-parent.cjs');

export interface ServiceProgram {
  readonly name: string;
  /** The file that Node runs. */
  readonly main: string;
  /** The module that imports everything `main` uses. The process loads it before its settings are known. */
  readonly rootModule: string;
  /** Variables with which the process is created; other users can see them. */
  readonly openEnvironment: NodeJS.ProcessEnv;
  /** All settings, which the process gets on stdin. */
  readonly settings: (addresses: DatabaseAddresses) => NodeJS.ProcessEnv;
}

/** One process of Vitrine: starts it, watches it, starts it again when it dies, and stops it. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private stopping = false;
  private restart: NodeJS.Timeout | undefined;
  private readonly restartDelay = new RestartDelay();
  private bornAt = 0;
  private settings: NodeJS.ProcessEnv | undefined;
  private loading: Promise<void> = Promise.resolve();
  /** How often in a row it ended with an error within its first minute. */
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

  /** Resolves when the process that was started last has loaded its modules, or has ended. */
  get loaded(): Promise<void> {
    return this.loading;
  }

  /** Starts the process. It loads its modules at once, and runs `main` when it has received its settings. */
  start(): void {
    const { name, main, rootModule, openEnvironment } = this.program;
    this.bornAt = Date.now();
    // Its own process group: a terminal's Ctrl-C reaches only the supervisor, which stops the processes in the right order.
    const child = spawn(process.execPath, ['--require', END_WITH_PARENT, main], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      env: {
        ...openEnvironment,
        VITRINE_SUPERVISOR_PID: String(process.pid),
        VITRINE_ROOT_MODULE: rootModule,
      },
    });
    this.child = child;
    // The process closes this pipe when it has loaded its modules.
    const [, , , pipe] = child.stdio;
    this.loading = new Promise((done) => pipe?.once('close', done).on('error', () => undefined));
    child.stdin.on('error', () => undefined);
    this.sendSettings();
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

  /** Gives the process its settings, now and after each restart. */
  configure(addresses: DatabaseAddresses): void {
    this.settings = this.program.settings(addresses);
    this.sendSettings();
  }

  /** Lets a new guard watch the running process after the old guard has died. */
  watchBy(guard: Guard): void {
    this.guard = guard;
    if (this.isAlive() && this.child?.pid !== undefined) guard.watch(this.child.pid);
  }

  /** Stops the process gracefully and starts it again, because its program has changed. */
  async renew(): Promise<void> {
    if (this.stopping) return;
    await this.stop();
    this.stopping = false;
    this.restartDelay.reset();
    this.start();
  }

  /** Lets the process finish its work; after `patienceMs` it is killed. */
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

  /** Kills the process and all processes that it started. */
  kill(): void {
    killGroup(this.child);
  }

  private sendSettings(): void {
    if (this.settings) this.child?.stdin?.write(`${JSON.stringify(this.settings)}\n`);
  }

  private isAlive(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private onEnd(child: ChildProcess): void {
    // Processes that it started, such as an encoder, must not outlive it.
    killGroup(child);
    if (child.pid !== undefined) this.guard.forget(child.pid);
    if (this.stopping) return;
    const delayMs = this.restartDelay.afterLife(Date.now() - this.bornAt);
    this.failures = child.signalCode === null ? this.failures + 1 : 0;
    this.log.write(
      this.name,
      `has ended (${child.signalCode ?? `status ${child.exitCode}`}); starting it again in ${delayMs / 1000} s`,
    );
    this.restart = setTimeout(() => this.start(), delayMs);
    this.onFailure(this);
  }
}

function killGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}
