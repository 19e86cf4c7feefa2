const MINUTE = 60;
const HOUR = 3600;

/** The waits before the second and the following attempts, in seconds, as Standard Webhooks suggests them. */
const WAITS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** The number of attempts of a delivery. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/** Waits vary at random by this share, so that deliveries that failed together are not all repeated together. */
const JITTER = 0.1;

/**
 * The wait in seconds after failed attempt number `attempt` (the first is 1), or null if no attempt follows. `random`
 * is from 0 to 1.
 */
export function waitAfter(attempt: number, random: number): number | null {
  const wait = WAITS[attempt - 1];
  return wait === undefined ? null : wait * (1 + JITTER * (2 * random - 1));
}
