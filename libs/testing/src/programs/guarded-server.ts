import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../waiting/eventually';

const OUTPUT_TAIL = 4_000;

/** A server program that runs beside the tests. It ends with the process that started it, even after `kill -9`. */
export interface GuardedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a program that stays in the foreground, and waits until it listens on `port`. Throws with its output. */
export async function startGuardedServer(
  program: string,
  args: readonly string[],
  port: number,
): Promise<GuardedServer> {
  const guard = '"$0" "$@" </dev/null & server=$!; read -r _; kill "$server"; wait "$server"';
  const child = spawn('sh', ['-c', guard, program, ...args], { stdio: 'pipe', detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-OUTPUT_TAIL)));
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
  if (!(await isListening(port, child))) {
    await stop();
    throw new Error(`${program} did not start: ${output}`);
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function isListening(port: number, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if (await canConnect(port)) return true;
    await sleep(20);
  }
  return false;
}

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
