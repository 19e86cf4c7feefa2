import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installDebianPackage } from './programs/debian-package';
import { describeUnless } from './programs/describe-unless';
import { freePort } from './service-process';
import { PATIENCE_MS } from './waiting/eventually';

/** A private Redis for tests, without persistence. It ends with the process that started it, even after `kill -9`. */
export interface TestRedis {
  readonly url: string;
  /** Kills it. */
  stop(): Promise<void>;
  /** Starts it again after `stop`, empty. */
  start(): Promise<void>;
  /** Keeps its connections open but answers nothing until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

/** The server's path. If it is missing and we are root, it is installed. */
function serverProgram(): string | undefined {
  if (!findOnPath('redis-server')) installDebianPackage('redis-server');
  return findOnPath('redis-server');
}

const findOnPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/**
 * `describe` if a Redis can be started. Otherwise the suite is skipped with the reason in its name, or fails if
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithRedis(name: string, suite: () => void): void {
  const missing = 'Redis is not installed (apt-get install redis-server)';
  describeUnless(serverProgram() ? null : missing, name, suite);
}

/** Starts a private Redis; takes a tenth of a second. */
export async function startRedis(): Promise<TestRedis> {
  const program = serverProgram();
  if (!program) throw new Error('Redis is not installed');
  const port = await freePort();
  let guard: ChildProcess | undefined;
  const signal = async (name: 'STOP' | 'CONT'): Promise<void> => {
    if (!guard?.stdin || !guard.stdout) return;
    const done = once(guard.stdout, 'data');
    guard.stdin.write(`${name}\n`);
    await done;
  };
  const start = async (): Promise<void> => {
    guard = guardedServer(program, port);
    await answering(port, guard);
  };
  const stop = async (): Promise<void> => {
    const ending = guard;
    guard = undefined;
    if (!ending || ending.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.stdin?.end();
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    start,
    freeze: () => signal('STOP'),
    thaw: () => signal('CONT'),
  };
}

/** A shell that runs the server, forwards the signals that it reads, and kills the server when its input ends. */
function guardedServer(program: string, port: number): ChildProcess {
  const guard = `
    "$0" --port "$1" --bind 127.0.0.1 --save '' --appendonly no >/dev/null 2>&1 & server=$!
    while read -r signal; do kill -"$signal" "$server"; echo done; done
    kill -KILL "$server"
    wait "$server"`;
  return spawn('sh', ['-c', guard, program, String(port)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
}

async function answering(port: number, guard: ChildProcess): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && guard.exitCode === null) {
    if (await answersPing(port)) return;
    await sleep(20);
  }
  throw new Error('Redis did not start');
}

const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket
      .once('data', (bytes) => resolve(bytes.toString().startsWith('+PONG')))
      .once('error', () => resolve(false))
      .once('close', () => resolve(false))
      .setTimeout(1_000, () => socket.destroy());
    socket.once('data', () => socket.destroy());
  });
