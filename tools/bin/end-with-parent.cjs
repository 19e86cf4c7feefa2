// Preloaded into each process that the supervisor starts. The process first loads its modules, and then waits for the first
// line on stdin, a pipe from the supervisor. The supervisor writes it when the database has started: the process's settings as
// JSON. They contain credentials, which other processes could read in its environment (/proc/<pid>/environ). When the pipe
// closes, regardless of the reason, the process drains and ends as if it had been asked to. Workers and children of the process load this file too; the check of the parent does not end them.
const { Buffer } = require('node:buffer');
const { closeSync, readSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.ppid === Number(process.env.VITRINE_SUPERVISOR_PID)) {
  loadModules();
  Object.assign(process.env, JSON.parse(firstLine()));
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.on('error', () => undefined);
  process.stdin.resume();
  process.stdin.unref();
}

/** Loads the process's modules before its settings are known, because no module reads settings while it is loaded. */
function loadModules() {
  const { VITRINE_ROOT_MODULE: rootModule } = process.env;
  delete process.env.VITRINE_ROOT_MODULE;
  // The decorators in all other modules need it.
  require('reflect-metadata');
  require(rootModule);
  // The closed pipe tells the supervisor that the modules are loaded.
  closeSync(3);
}

/** The supervisor writes nothing after it, so this process reads no byte that is not meant for it. */
function firstLine() {
  const piece = Buffer.alloc(65_536);
  let line = Buffer.alloc(0);
  while (!line.includes('\n')) {
    const length = readSync(0, piece);
    if (length === 0) process.exit(1);
    line = Buffer.concat([line, piece.subarray(0, length)]);
  }
  return line.toString();
}
