import { utimes } from 'node:fs/promises';

/** Milliseconds between two changes: a fraction of what `ORPHAN_AGE_SECONDS` can sensibly be. */
const CHANGE_MS = 5_000;

/**
 * Makes scratch files and folders look new until the returned function is called, because every service that shares their
 * folder removes old ones, and work on a large file takes long.
 */
export function keepNew(...paths: readonly string[]): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    // Its owner may remove one at any moment.
    for (const path of paths) void utimes(path, now, now).catch(() => undefined);
  }, CHANGE_MS).unref();
  return () => clearInterval(timer);
}
