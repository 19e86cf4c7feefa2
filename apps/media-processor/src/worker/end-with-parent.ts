import { Worker } from 'node:worker_threads';

const CHECK_MS = 1000;

/** Runs in a separate thread, because a decoder that spins in native code or WebAssembly blocks this one. */
const WATCH = `
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(-process.pid, 'SIGKILL');
}, ${CHECK_MS});
`;

/**
 * Ends this process and its group, including a running ffmpeg, within a second after the parent ended. A worker in
 * its own namespace has no such group: the end of this process ends the namespace, and with it a worker in an endless
 * loop.
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
