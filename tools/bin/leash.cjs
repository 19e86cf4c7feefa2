// Preloaded into each process that the supervisor starts: their stdin is a pipe from it, and when that closes, for
// whatever reason, the process drains and ends as if it had been asked to. Workers and children of the process load
// this file too; the check of the parent leaves them alone.
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.ppid === Number(process.env.VITRINE_SUPERVISOR_PID)) {
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'));
  process.stdin.on('error', () => undefined);
  process.stdin.resume();
  process.stdin.unref();
}
