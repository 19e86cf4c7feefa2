const FIRST_MS = 500;
const LAST_MS = 30_000;
const STABLE_MS = 60_000;

/**
 * Milliseconds to wait before a process that died is started again: half a second at first, doubled each time it
 * dies anew, at most 30 s; from the beginning again once it has lived for a minute.
 */
export function restartDelayMs(previousMs: number | undefined, livedMs: number): number {
  if (previousMs === undefined || livedMs >= STABLE_MS) return FIRST_MS;
  return Math.min(previousMs * 2, LAST_MS);
}
