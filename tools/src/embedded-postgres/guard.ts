import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = resolve(__dirname, '../../bin/guard.mjs');

/** A program that the guard runs on our behalf, so that it can't outlive us. */
export interface GuardedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whom it runs as; ours where absent. */
  readonly uid?: number;
  readonly gid?: number;
  /** File to which its output is appended. */
  readonly log: string;
}

export interface GuardedProcess {
  readonly pid: number;
  /** Resolves when the program has ended, or when the guard itself is lost. */
  readonly ended: Promise<void>;
}

interface Pending {
  readonly started: (pid: number) => void;
  readonly failed: (error: Error) => void;
  readonly ended: () => void;
}

/**
 * The client's end of `bin/guard.mjs`, a small process in a session of its own that stops what we started
 * as soon as our end of the pipe closes, whatever closed it.
 */
export class Guard {
  private readonly pending = new Map<number, Pending>();
  private readonly child: ChildProcess;
  private nextId = 1;
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
      for (const program of this.pending.values()) {
        program.failed(new Error('The guard process has died.'));
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

  /** Starts a program whose parent is the guard; rejects where it can't be executed. */
  run(program: GuardedProgram): Promise<GuardedProcess> {
    const id = this.nextId++;
    return new Promise((started, failed) => {
      let ended = (): void => undefined;
      const over = new Promise<void>((done) => (ended = done));
      this.pending.set(id, { started: (pid) => started({ pid, ended: over }), failed, ended });
      this.order({ run: { id, ...program } });
    });
  }

  /** Takes the process that leads group `pid` under the guard. */
  watch(pid: number): void {
    this.order({ watch: pid });
  }

  /** The process has ended; its number may be another's from now on. */
  forget(pid: number): void {
    this.order({ forget: pid });
  }

  /** Deletes the folder once everything guarded has ended. */
  removeAtEnd(folder: string): void {
    this.order({ remove: folder });
  }

  /** Lets the guard end whatever is left, and waits until it has. */
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
