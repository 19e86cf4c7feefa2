import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const DIED = 'The guard process has died.';
const PROGRAM = resolve(__dirname, '../../../bin/guard.mjs');

/** A program that the guard runs for us, so that it can't outlive us. */
export interface GuardedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The user that runs it; by default our own. */
  readonly uid?: number;
  readonly gid?: number;
  /** File to which its output is appended. */
  readonly log: string;
}

export interface GuardedProcess {
  readonly pid: number;
  /** Resolves when the program or the guard itself has ended. */
  readonly ended: Promise<void>;
}

interface Pending {
  readonly started: (pid: number) => void;
  readonly failed: (error: Error) => void;
  readonly ended: () => void;
}

/**
 * The client of `bin/guard.mjs`, a small process in its own session that stops what we started as soon as our end of the pipe
 * closes, regardless of the reason.
 */
export class Guard {
  private readonly pending = new Map<number, Pending>();
  private readonly child: ChildProcess;
  private nextId = 1;
  private isGone = false;
  /** Resolves when the guard process is gone. */
  readonly gone: Promise<void>;

  constructor() {
    this.child = spawn(process.execPath, [PROGRAM], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.child.stdin?.on('error', () => undefined);
    this.gone = new Promise((done) => {
      this.child.once('error', () => done());
      this.child.once('exit', () => done());
    });
    void this.gone.then(() => {
      this.isGone = true;
      for (const program of this.pending.values()) {
        program.failed(new Error(DIED));
        program.ended();
      }
      this.pending.clear();
    });
    if (this.child.stdout) {
      createInterface({ input: this.child.stdout }).on('line', (line) => this.hear(JSON.parse(line)));
    }
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Starts a program as a child of the guard; rejects if it can't be executed, or if the guard has ended. */
  run(program: GuardedProgram): Promise<GuardedProcess> {
    if (this.isGone) return Promise.reject(new Error(DIED));
    const id = this.nextId++;
    return new Promise((started, failed) => {
      let ended = (): void => undefined;
      const over = new Promise<void>((done) => (ended = done));
      this.pending.set(id, { started: (pid) => started({ pid, ended: over }), failed, ended });
      this.order({ run: { id, ...program } });
    });
  }

  /** Makes the guard watch the process that leads the group `pid`. */
  watch(pid: number): void {
    this.order({ watch: pid });
  }

  /** Tells the guard that the process has ended, because its pid may be reused. */
  forget(pid: number): void {
    this.order({ forget: pid });
  }

  /** Deletes the folder when all watched processes have ended. */
  removeAtEnd(folder: string): void {
    this.order({ remove: folder });
  }

  /** Makes the guard end all remaining processes, and waits for that. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.gone;
  }

  private order(order: object): void {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  private hear(fact: { id: number; pid?: number; error?: string }): void {
    const program = this.pending.get(fact.id);
    if (fact.pid !== undefined) return program?.started(fact.pid);
    this.pending.delete(fact.id);
    if (fact.error !== undefined) program?.failed(new Error(fact.error));
    program?.ended();
  }
}
