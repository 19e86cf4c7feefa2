import { Worker } from 'node:worker_threads';

const CHECK_MS = 1000;

/** In a thread of its own: a decoder that spins in native code or wasm never lets this one look. */
const WATCH = `
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(-process.pid, 'SIGKILL');
}, ${CHECK_MS});
`;

/**
 * Once the parent is gone nobody waits for what is under way: ends this process and its group, a running ffmpeg included,
 * within a second. A worker in its own namespace has no such group: there the end of this process ends the namespace, and
 * with it a worker in an endless loop.
 */
export function endWithParent(): void {
  new Worker(WATCH, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  }).unref();
  process.on('disconnect', () => {
    try {
      process.kill(-process.pid, 'SIGKILL');
    } catch {
      process.kill(process.pid, 'SIGKILL');
    }
  });
}
