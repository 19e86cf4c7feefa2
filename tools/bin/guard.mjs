// Ends the processes that its owner leaves behind. It shares only a pipe with the owner: when the owner ends, even by
// `kill -9`, the pipe closes, and the guard stops the watched processes first, then the databases it started.
// Plain JavaScript, since it must run before the first build and outlive every rebuild.
//
// Orders, one JSON object a line on stdin:
//   {"run":{"id","command","args","uid","gid","env","log"}}   answered by {"id","pid"}, later {"id","ended"}
//   {"watch":pid} {"forget":pid}                              a process that leads its own group
//   {"remove":folder}                                         deleted at the very end
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const DRAIN_MS = 30_000;
const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;

const children = new Map();
const watched = new Set();
const folders = new Set();

// The owner handles Ctrl-C and hang-up of the terminal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.stdout.on('error', () => undefined);

createInterface({ input: process.stdin })
  .on('line', (line) => obey(JSON.parse(line)))
  .on('close', () => void end());

function obey(order) {
  if (order.run) run(order.run);
  if (order.watch) watched.add(order.watch);
  if (order.forget) watched.delete(order.forget);
  if (order.remove) folders.add(order.remove);
}

function run({ id, command, args, uid, gid, env, log }) {
  let output;
  try {
    output = openSync(log, 'a', 0o600);
  } catch (error) {
    return tell({ id, error: error.message });
  }
  const child = spawn(command, args, { cwd: '/', uid, gid, env, stdio: ['ignore', output, output] });
  closeSync(output);
  child.on('spawn', () => {
    children.set(id, child);
    tell({ id, pid: child.pid });
  });
  child.on('error', (error) => tell({ id, error: error.message }));
  child.on('exit', () => {
    children.delete(id);
    tell({ id, ended: true });
  });
}

function tell(fact) {
  process.stdout.write(`${JSON.stringify(fact)}\n`);
}

async function end() {
  signalGroups('SIGTERM');
  await until(() => ![...watched].some(isRunning), DRAIN_MS);
  signalGroups('SIGKILL');

  for (const [signal, patience] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', IMMEDIATE_SHUTDOWN_MS],
  ]) {
    for (const child of children.values()) child.kill(signal);
    await until(() => children.size === 0, patience);
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function signalGroups(signal) {
  for (const pid of watched) {
    try {
      process.kill(-pid, signal);
    } catch {
      // Gone already.
    }
  }
}

/** False for a zombie too: if nothing reaps orphans, a dead process keeps its pid. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

async function until(done, patienceMs) {
  const deadline = Date.now() + patienceMs;
  while (!done() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 25));
}
