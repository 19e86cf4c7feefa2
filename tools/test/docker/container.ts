import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DockerBuild, Image } from './docker-build';

/** The Node.js that runs the tests, or another one, for example the version in the images. */
const NODE = process.env['IMAGE_NODE'] ?? process.execPath;

/** The user and group of a process; empty if the tests don't run as root and can't choose. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Place {
  /** The folder used in place of /app. */
  readonly folder: string;
  /** The folder for files that it may write. */
  readonly writable: string;
  readonly user: User;
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/**
 * Runs the command of an image in the folder used in place of its /app: the same command without the init, the same
 * environment, and a user who can write only to `/tmp` and the data folder.
 */
export class Container {
  private child: ChildProcess | undefined;
  private readonly written: string[] = [];

  private constructor(
    private readonly command: readonly string[],
    private readonly place: Place,
    private readonly environment: Readonly<Record<string, string>>,
  ) {}

  /** `settings` override the image's own. */
  static async prepare(
    build: DockerBuild,
    image: Image,
    place: Place,
    settings: Readonly<Record<string, string>>,
  ): Promise<Container> {
    const [temporary, data] = [join(place.writable, 'tmp'), join(place.writable, 'data')];
    for (const folder of [temporary, data]) {
      await mkdir(folder, { recursive: true });
      const { uid, gid } = place.user;
      if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
    }
    const [init, separator, ...command] = build.command(image);
    if (init !== '/usr/bin/tini' || separator !== '--') throw new Error(`${image} starts without its init`);
    return new Container(command, place, {
      PATH: process.env['PATH'] ?? '',
      ...build.environment(image),
      TMPDIR: temporary,
      VITRINE_DATA_DIR: data,
      ...settings,
    });
  }

  start(): void {
    const child = spawn(this.program, this.command.slice(1), this.options);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.written.push(text));
    }
    this.child = child;
  }

  get output(): string {
    return this.written.join('');
  }

  /** Where its management port says whether it is ready. */
  get readyUrl(): string {
    return `http://127.0.0.1:${this.environment['MANAGEMENT_PORT']}/health/ready`;
  }

  get running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Runs the image's command to its end, with these words instead of its CMD. */
  run(args: readonly string[]): Promise<Ended> {
    return this.finished(this.program, [...this.command.slice(1, -1), ...args]);
  }

  /** The result of a HEALTHCHECK's command, from the image or from Compose. */
  async healthCheck(command: readonly string[]): Promise<number | null> {
    return (await this.finished(NODE, command.slice(1))).status;
  }

  /** Sends the signal and returns the exit status; null if the signal killed the process. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || !this.running) return child?.exitCode ?? null;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await exited)[0];
  }

  private get program(): string {
    if (this.command[0] !== 'node') throw new Error(`An image that runs ${this.command[0]}`);
    return NODE;
  }

  private get options() {
    return { cwd: this.place.folder, env: this.environment, ...this.place.user };
  }

  private finished(program: string, args: readonly string[]): Promise<Ended> {
    return new Promise((resolve) => {
      const child = execFile(program, args, this.options, (error, stdout, stderr) =>
        resolve({ status: error ? child.exitCode : 0, output: stdout + stderr }),
      );
    });
  }
}
