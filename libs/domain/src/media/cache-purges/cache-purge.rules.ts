/**
 * Seconds after the request at which a media item is purged again. 2: until then, a process may have served it because
 * of a decision that it read before the change (for half a second), and a cache may have stored this answer. 60: until
 * then, a cache that stores a file only when it has all of it may have been receiving one.
 */
const PURGE_AGAIN_AFTER = [2, 60] as const;

/** Number of failed attempts in a row after which a purge is given up: with the waits below, after about a day. */
export const MAX_ATTEMPTS = 150;

const MAX_WAIT_SECONDS = 600;

/** How long a purge that began so many seconds after its request must wait for the next one; null if it was the last. */
export function secondsToNextPurge(ageSeconds: number): number | null {
  const next = PURGE_AGAIN_AFTER.find((after) => after > ageSeconds);
  return next === undefined ? null : next - ageSeconds;
}

/**
 * The wait in seconds after failed attempt number `attempt` (the first is 1): a second, doubled each time, at most ten
 * minutes, and never less than what the cache asked for. Null if there are no further attempts.
 */
export function secondsAfterFailure(attempt: number, retryAfterSeconds = 0): number | null {
  if (attempt >= MAX_ATTEMPTS) return null;
  return Math.max(Math.min(2 ** (attempt - 1), MAX_WAIT_SECONDS), retryAfterSeconds);
}
